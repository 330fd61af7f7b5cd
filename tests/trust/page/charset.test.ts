import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { PageDecoder } from '../../../src/trust/page/page-decoder.ts';

const russian = `<!DOCTYPE html><html><head><title>Купить автозапчасти в Москве — интернет-магазин</title></head>
<body><h1>Автозапчасти с доставкой по России</h1><p>Мы работаем с 2005 года и предлагаем широкий выбор
запасных частей для отечественных автомобилей и иномарок. Оплата при получении, гарантия на весь товар.</p>
<p>Адрес: Санкт-Петербург, Невский проспект, дом 28. Звоните с девяти до восемнадцати часов.</p></body></html>`;

function decode(
  bytes: Uint8Array,
  contentType?: string,
  size = bytes.length,
): [string, PageDecoder] {
  const decoder = new PageDecoder(contentType);
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += decoder.push(bytes.subarray(at, at + size));
  return [text + decoder.end(), decoder];
}

describe('told', () => {
  const cp1251 = iconv.encode(russian, 'windows-1251');

  test.each([
    ['text/html; charset=windows-1251', 'windows-1251'],
    ['text/html;charset="Windows-1251"', 'windows-1251'],
    ["text/html; charset='cp1251'; a=b", 'windows-1251'],
    ['text/html; charset=win-1251', 'windows-1251'],
    ['TEXT/HTML; CHARSET=X-CP1251', 'windows-1251'],
  ])('by the header %p', (contentType, name) => {
    const [text, decoder] = decode(cp1251, contentType);
    expect(text).toBe(russian);
    expect(decoder.charset).toEqual({ name, source: 'header' });
  });

  test.each([
    '<meta charset="windows-1251">',
    "<META CHARSET='Windows-1251' />",
    '<meta charset=cp1251>',
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<meta content="text/html;charset=windows-1251" http-equiv=content-type>',
    '<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">',
    '<meta charset="nonsense"><meta charset="windows-1251">',
    '<meta name="a" content="charset=koi8-r"><meta charset="windows-1251">',
  ])('by %p', (meta) => {
    const html = `<html><head>${meta}<title>Привет</title>`;
    const [text, decoder] = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
    expect(decoder.charset.source).toBe('meta');
  });

  test('by a byte order mark above all else', () => {
    const meta = '<meta charset="koi8-r">Привет';
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const bytes = iconv.encode(meta, encoding, { addBOM: true });
      const [text, decoder] = decode(bytes, 'text/html; charset=windows-1251');
      expect(text).toBe(meta);
      expect(decoder.charset).toEqual({ name: encoding, source: 'bom' });
    }
  });

  test('by the header before the meta', () => {
    const html = '<meta charset="koi8-r">Привет';
    const [text] = decode(iconv.encode(html, 'windows-1251'), 'text/html; charset=windows-1251');
    expect(text).toBe(html);
  });

  test('UTF-16 in a meta that was read as ASCII is UTF-8', () => {
    const [text, decoder] = decode(Buffer.from('<meta charset="utf-16">Привет'));
    expect(text).toEndWith('Привет');
    expect(decoder.charset.name).toBe('utf-8');
  });

  test.each([
    ['windows-1251', '<?xml version="1.0" encoding="windows-1251"?>', 'Икс'],
    ['windows-1251', "<?xml version='1.0' encoding = 'CP1251' standalone='yes' ?>", 'Икс'],
    ['iso-8859-2', '<?xml version="1.0" encoding="ISO-8859-2"?>', 'Zażółć'],
    ['utf-8', '<?xml version="1.0" encoding="utf-16"?>', 'Икс'],
  ])('in %s by the declaration of XHTML %p', (name, declaration, title) => {
    const html = `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><title>${title}</title>`;
    const [text, decoder] = decode(iconv.encode(html, name), 'application/xhtml+xml');
    expect(text).toBe(html);
    expect(decoder.charset).toEqual({ name, source: 'xml' });
  });

  test('by a meta before the declaration of XHTML, and by that at the beginning alone', () => {
    const xml = '<?xml version="1.0" encoding="koi8-r"?>';
    const both = `${xml}<meta charset="windows-1251"><title>Икс</title>`;
    expect(decode(iconv.encode(both, 'windows-1251'))[0]).toBe(both);
    const late = `<html>${xml}${russian}`;
    const [text, decoder] = decode(iconv.encode(late, 'windows-1251'));
    expect(text).toBe(late);
    expect(decoder.charset.source).toBe('guess');
    const [, other] = decode(Buffer.from('<?xml version="1.0"?><p encoding="koi8-r">Икс'));
    expect(other.charset).toEqual({ name: 'utf-8', source: 'guess' });
  });

  test('not by a meta beyond the first 1,024 bytes', () => {
    const html = `<html>${' '.repeat(1_024)}<meta charset="koi8-r">${russian}`;
    const [text, decoder] = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
    expect(decoder.charset.source).toBe('guess');
  });

  test.each(['nonsense', '', 'utf-99', 'x'.repeat(500), '"'])(
    'what means nothing is passed over (%#)',
    (charset) => {
      const [text] = decode(Buffer.from(russian), `text/html; charset=${charset}`);
      expect(text).toBe(russian);
    },
  );
});

describe('guessed', () => {
  test.each(['windows-1251', 'koi8-r', 'utf-8', 'iso-8859-5'])('%s, from a page', (encoding) => {
    const html = encoding.startsWith('utf') ? russian : russian.replace('—', '-');
    const [text, decoder] = decode(iconv.encode(html, encoding), 'text/html');
    expect(text).toBe(html);
    expect(decoder.charset).toEqual({ name: encoding, source: 'guess' });
  });

  test.each([
    'Привет мир',
    'Новости',
    'ООО Ромашка',
    'Главная страница',
    'Каталог товаров и услуг',
    'Прогноз погоды на завтра',
    'Администрация города Томска',
    'Расписание электричек',
    'Школа № 5',
  ])('from a title alone: %s', (title) => {
    const html = `<html><head><title>${title}</title></head><body><img src="a.gif"></body></html>`;
    for (const encoding of ['windows-1251', 'koi8-r', 'utf-8']) {
      if (iconv.decode(iconv.encode(html, encoding), encoding) !== html) continue;
      expect([encoding, decode(iconv.encode(html, encoding))[0]]).toEqual([encoding, html]);
    }
  });

  test('western and east Asian pages too', () => {
    const samples: [string, string][] = [
      [
        'windows-1252',
        'Über uns. Die schönsten Straßen in Köln, München und Zürich für Fußgänger.',
      ],
      ['shift_jis', '日本語のホームページへようこそ。東京の天気予報とニュースをお届けします。'],
      ['euc-kr', '대한민국의 수도 서울에 오신 것을 환영합니다. 오늘의 날씨와 뉴스를 알려드립니다.'],
    ];
    for (const [encoding, sample] of samples) {
      expect(decode(iconv.encode(sample, encoding))[0]).toBe(sample);
    }
  });

  test('letters that begin late', () => {
    const html = `<html><script>${'a=1;'.repeat(20_000)}</script>${russian}`;
    const [text, decoder] = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
    expect(decoder.charset.name).toBe('windows-1251');
  });

  test('nothing but ASCII is UTF-8', () => {
    const [text, decoder] = decode(Buffer.from('<html>plain'));
    expect(text).toBe('<html>plain');
    expect(decoder.charset).toEqual({ name: 'utf-8', source: 'guess' });
    expect(decode(Buffer.alloc(0))[0]).toBe('');
  });
});

test('the text does not depend on how the bytes are cut', () => {
  const pages = [
    iconv.encode(russian, 'windows-1251'),
    iconv.encode(russian.replace('—', '-'), 'koi8-r'),
    Buffer.from(russian),
    iconv.encode(russian, 'utf-16le', { addBOM: true }),
    Buffer.from(`${'a'.repeat(3_000)}${russian}`),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...pages), fc.integer({ min: 1, max: 4_000 }), (bytes, size) => {
      expect(decode(bytes, 'text/html', size)[0]).toBe(decode(bytes, 'text/html')[0]);
    }),
  );
});

test('any bytes give some text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3_000 }),
      fc.integer({ min: 1, max: 999 }),
      (bytes, size) => {
        const [text, decoder] = decode(bytes, undefined, size);
        expect(text.isWellFormed()).toBe(true);
        expect(decoder.charset.name).not.toBe('');
      },
    ),
  );
});
