import { describe, expect, test } from 'bun:test';
import { PageParser } from '../../../src/trust/page/page-parser.ts';
import { shareOfTalk } from '../../../src/trust/page/parked-talk.ts';

function parkedOf(html: string, address = 'http://some-domain.ru/', redirects: string[] = []) {
  const parser = new PageParser({
    url: new URL(address),
    redirects: redirects.map((url) => new URL(url)),
    headers: {},
  });
  parser.push(Buffer.from(html));
  return parser.end().parked;
}

const article = `<h1>Новости рынка</h1><p>${'Обычный текст обычной страницы о разном. '.repeat(120)}</p>`;

describe('a page counts as parked', () => {
  test.each([
    '<title>some-domain.ru</title><h1>Домен some-domain.ru продаётся</h1>',
    '<h1>Этот домен продается!</h1><a href="https://reg.ru/">Купить домен</a>',
    '<title>Купить домен some-domain.ru</title><p>Свяжитесь с владельцем.</p>',
    '<h1>Купить этот домен</h1>',
    '<h1>Продажа домена</h1><p>Пишите.</p>',
    '<title>Продаётся домен</title>',
    '<title>Домен припаркован</title><p>Домен some-domain.ru припаркован на сервере</p>',
    '<p>Домен не прилинкован к директории на сервере!</p>',
    '<p>Срок регистрации домена SOME-DOMAIN.RU истёк</p>',
    '<p>Срок оплаты хостинга истек</p>',
    '<h1>Сайт заблокирован хостинг-провайдером</h1>',
    '<h1>Сайт не настроен на сервере</h1>',
    '<h1>This domain is for sale</h1>',
    '<title>some-domain.ru is for sale</title><p>Buy this domain. The domain some-domain.ru may be for sale.</p>',
    '<p>This Web page is parked free, courtesy of GoDaddy</p>',
    '<p>The domain has expired. Is this your domain? Renew it now.</p>',
    '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed.</p>',
    '<title>Apache2 Ubuntu Default Page: It works</title>',
    '<h1>This Account has been suspended.</h1>',
    '<script src="//img.sedoparking.com/js/x.js"></script>',
    '<iframe src="https://www.hugedomains.com/x"></iframe>',
    '<meta http-equiv="refresh" content="0; url=http://parking.reg.ru/some-domain.ru">',
    '<script>window.onload=function(){window.location.href="/lander"}</script>',
    '<title>some-domain.ru</title><p>Hello</p>',
    '<p>Домен</p><a href="https://www.nic.ru/">RU-CENTER</a>',
  ])('with %p', (html) => {
    expect(parkedOf(html)).toBe(true);
  });

  test('when another site shows it', () => {
    const from = ['http://some-domain.ru/'];
    expect(parkedOf(article, 'https://www.hugedomains.com/x')).toBe(false);
    expect(parkedOf('<p>Buy</p>', 'https://www.hugedomains.com/x', from)).toBe(true);
    expect(parkedOf('<p>Домен</p>', 'http://parking.webnames.ru/', from)).toBe(true);
  });
});

describe('a host says to a new customer that', () => {
  test.each([
    '<h1>Your website is live!</h1><p>Upload your files to public_html, and this page will disappear.</p><p>0800 123 4567</p>',
    '<h1>Сайт успешно создан</h1><p>Загрузите файлы через FTP и удалите эту страницу.</p>',
    '<p>Ihr Webspace wurde eingerichtet. &Uuml;bertragen Sie Ihre Dateien per FTP.</p>',
    '<h1>Votre hébergement est prêt</h1><p>Vous pouvez envoyer vos fichiers dans www. Cette page peut être supprimée.</p>',
    '<h1>¡Tu hosting está activo!</h1><p>Sube los archivos de tu web a public_html.</p>',
    '<p>Konto hostingowe zostało utworzone. Prześlij pliki przez FTP i usuń plik index.html.</p>',
  ])('%p', (html) => {
    expect(parkedOf(html, 'http://velora-haus.com/')).toBe(true);
  });

  test('but a help page says when', () => {
    expect(
      parkedOf(
        '<title>Uploading a site</title><p>Once your account is active, upload your files to public_html.</p>',
      ),
    ).toBe(false);
  });
});

describe('a page says nothing but that it comes soon', () => {
  const at = 'http://velora-haus.com/';

  test.each([
    '<title>Velora Haus</title><h1>Coming soon</h1><p>We are working on something new. Write to hello@velora-haus.com</p>',
    '<title>Сайт в разработке</title><p>Скоро здесь появится наш новый сайт. Следите за обновлениями!</p>',
    '<title>Velora Haus</title><p>Unsere Website ist im Aufbau. Schauen Sie demn&auml;chst vorbei.</p>',
    '<title>Velora Haus</title><p>Notre site est en construction. Revenez bientôt.</p><p>04 75 00 00 00</p>',
    '<title>Velora Haus</title><p>Página en construcción. Disculpen las molestias.</p><p>info@velora-haus.com</p>',
    '<title>Fotografia ślubna w Łodzi</title><p>Strona w budowie. Zapraszamy wkrótce.</p>',
  ])('%p', (html) => {
    expect(parkedOf(html, at)).toBe(true);
  });

  test.each([
    '<title>Velora Haus</title><h1>Coming soon</h1><p>A novel by Moira Sands.</p>',
    '<h1>Unsere Website ist im Aufbau</h1><p>Sie finden uns in der Rosengasse 3.</p>',
    '<title>Velora Haus</title><p>Strona w budowie. Strzyżenie i koloryzacja, tel. 600 000 000</p>',
  ])('or it says more: %p', (html) => {
    expect(parkedOf(html, at)).toBe(false);
  });
});

describe('a host is not proof', () => {
  test.each(['http://ww25.some-domain.ru/', 'http://parking.some-domain.ru/'])('%s', (address) => {
    expect(parkedOf(article, address, ['http://some-domain.ru/'])).toBe(false);
  });
});

describe('a page does not count as parked', () => {
  test.each([
    article,
    `${article}<p>Этот домен продается, писал автор. Buy this domain, he said.</p>`,
    '<title>Визитка</title><h1>Иван Иванов</h1><p>+7 000 000-00-00</p>',
    '<div id="root"></div><script src="/app.js"></script>',
    '<title>some-domain.ru</title><div id="root"></div><script src="/app.js"></script>',
    `${article}<a href="https://www.reg.ru/">Хостинг</a>`,
    '<title>Домены и хостинг</title><p>Регистрация доменов. Проверьте, свободен ли адрес, и закажите.</p>',
    `<title>Купить домен и хостинг: домены .ru от 199 рублей</title>${article}`,
    `<title>Продажа доменов и хостинга</title>${article}`,
    '<h1>Хостинг для сайтов</h1><p>Быстрые серверы в Москве и поддержка днём и ночью.</p><a href="/d">Купить домен</a>',
    '<h1>Доменная печь</h1><p>Купить доменную печь недорого у производителя на Урале, с доставкой.</p>',
  ])('when it has content of its own (%#)', (html) => {
    expect(parkedOf(html)).toBe(false);
  });
});

test('the French “accéder” is not read as “céder”, the word for a sale', () => {
  expect(shareOfTalk('cliquez ici pour acceder a votre site')).toBe(0);
  expect(shareOfTalk('votre site est a ceder')).toBe(1);
});
