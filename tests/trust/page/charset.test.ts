import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { PageDecoder } from '../../../src/trust/page/page-decoder.ts';

const russian = `<!DOCTYPE html><html><head><title>Купить автозапчасти в Москве — интернет-магазин</title></head>
<body><h1>Автозапчасти с доставкой по России</h1><p>Мы работаем с 2005 года и предлагаем широкий выбор
запасных частей для отечественных автомобилей и иномарок. Оплата при получении, гарантия на весь товар.</p>
<p>Адрес: Санкт-Петербург, Невский проспект, дом 28. Звоните с девяти до восемнадцати часов.</p></body></html>`;

function decode(bytes: Uint8Array, contentType?: string, size = bytes.length): string {
  const decoder = new PageDecoder(contentType);
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += decoder.push(bytes.subarray(at, at + size));
  return text + decoder.end();
}

/** Text in windows-1251 that is not recognised as such. */
const rare = 'ЊЏЃЌ';

test('rare text is not recognised', () => {
  expect(decode(iconv.encode(rare, 'windows-1251'))).not.toBe(rare);
});

describe('a declared encoding is used', () => {
  const cp1251 = iconv.encode(rare, 'windows-1251');

  test.each([
    'text/html; charset=windows-1251',
    'text/html;charset="Windows-1251"',
    "text/html; charset='cp1251'; a=b",
    'text/html; charset=win-1251',
    'TEXT/HTML; CHARSET=X-CP1251',
  ])('from the header %p', (contentType) => {
    expect(decode(cp1251, contentType)).toBe(rare);
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
  ])('from %p', (meta) => {
    const html = `<html><head>${meta}<title>${rare}</title>`;
    const text = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
  });

  test('from a byte order mark before any other', () => {
    const meta = '<meta charset="koi8-r">Привет';
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const bytes = iconv.encode(meta, encoding, { addBOM: true });
      const text = decode(bytes, 'text/html; charset=windows-1251');
      expect(text).toBe(meta);
    }
  });

  test('from the header before the meta', () => {
    const html = '<meta charset="koi8-r">Привет';
    const text = decode(iconv.encode(html, 'windows-1251'), 'text/html; charset=windows-1251');
    expect(text).toBe(html);
  });

  test('as UTF-8, where a meta readable as ASCII says UTF-16', () => {
    const text = decode(Buffer.from('<meta charset="utf-16">Привет'));
    expect(text).toEndWith('Привет');
  });

  test.each([
    ['windows-1251', '<?xml version="1.0" encoding="windows-1251"?>', rare],
    ['windows-1251', "<?xml version='1.0' encoding = 'CP1251' standalone='yes' ?>", rare],
    ['iso-8859-2', '<?xml version="1.0" encoding="ISO-8859-2"?>', 'Zażółć'],
    ['utf-8', '<?xml version="1.0" encoding="utf-16"?>', 'Икс'],
  ])('%s from the XML declaration %p', (name, declaration, title) => {
    const html = `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><title>${title}</title>`;
    const text = decode(iconv.encode(html, name), 'application/xhtml+xml');
    expect(text).toBe(html);
  });

  test('from a meta before an XML declaration, which counts only at the beginning', () => {
    const xml = '<?xml version="1.0" encoding="koi8-r"?>';
    const both = `${xml}<meta charset="windows-1251"><title>Икс</title>`;
    expect(decode(iconv.encode(both, 'windows-1251'))).toBe(both);
    const late = `<html>${xml}${russian}`;
    const text = decode(iconv.encode(late, 'windows-1251'));
    expect(text).toBe(late);
    const other = '<?xml version="1.0"?><p encoding="koi8-r">Икс';
    expect(decode(Buffer.from(other))).toBe(other);
  });

  test('but not from a meta beyond the first 1,024 bytes', () => {
    const html = `<html>${' '.repeat(1_024)}<meta charset="koi8-r">${russian}`;
    const text = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
  });

  test.each(['nonsense', '', 'utf-99', 'x'.repeat(500), '"'])(
    'but not an unknown one in the header (%#)',
    (charset) => {
      const text = decode(Buffer.from(russian), `text/html; charset=${charset}`);
      expect(text).toBe(russian);
    },
  );
});

describe('an undeclared encoding is guessed', () => {
  test.each(['windows-1251', 'koi8-r', 'cp866', 'utf-8', 'utf-16le', 'utf-16be', 'iso-8859-5'])(
    '%s from a page',
    (encoding) => {
      const html = encoding.startsWith('utf') ? russian : russian.replace('—', '-');
      const text = decode(iconv.encode(html, encoding), 'text/html');
      expect(text).toBe(html);
    },
  );

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
    const encodings = ['windows-1251', 'koi8-r', 'utf-8', 'utf-16le'];
    // In ibm866, a few letters look like those of other encodings.
    for (const encoding of title.length > 15 ? ['cp866', ...encodings] : encodings) {
      if (iconv.decode(iconv.encode(html, encoding), encoding) !== html) continue;
      expect([encoding, decode(iconv.encode(html, encoding))]).toEqual([encoding, html]);
    }
  });

  test('from Western and East Asian pages', () => {
    const samples: [string, string][] = [
      [
        'windows-1252',
        'Über uns. Die schönsten Straßen in Köln, München und Zürich für Fußgänger.',
      ],
      ['shift_jis', '日本語のホームページへようこそ。東京の天気予報とニュースをお届けします。'],
      ['euc-kr', '대한민국의 수도 서울에 오신 것을 환영합니다. 오늘의 날씨와 뉴스를 알려드립니다.'],
    ];
    for (const [encoding, sample] of samples) {
      expect(decode(iconv.encode(sample, encoding))).toBe(sample);
    }
  });

  test('from letters that begin late', () => {
    const html = `<html><script>${'a=1;'.repeat(20_000)}</script>${russian}`;
    const text = decode(iconv.encode(html, 'windows-1251'));
    expect(text).toBe(html);
  });

  test('as UTF-8 from ASCII alone', () => {
    const text = decode(Buffer.from('<html>plain'));
    expect(text).toBe('<html>plain');
    expect(decode(Buffer.alloc(0))).toBe('');
  });
});

describe('a declared encoding that the bytes refute', () => {
  test.each([
    ['windows-1251', 'utf-8', russian],
    ['koi8-r', 'utf-8', russian.replace('—', '-')],
    ['cp866', 'utf-8', russian.replace('—', '-')],
    ['windows-1251', 'utf-8', '<title>Новости города</title>'],
    ['windows-1251', 'iso-8859-1', russian],
    [
      'windows-1251',
      'iso-8859-1',
      '<meta charset="windows-1251"><title>Школа города Томска</title>',
    ],
    ['utf-8', 'windows-1251', russian],
    ['utf-8', 'koi8-r', '<title>Новости</title>'],
    ['utf-8', 'iso-8859-1', '<title>Über München, größer</title>'],
    ['utf-16le', 'utf-8', russian],
  ])('%s under the name of %s is found', (encoding, named, html) => {
    const bytes = iconv.encode(html, encoding);
    expect(decode(bytes, `text/html; charset=${named}`)).toBe(html);
    const meta = `<meta charset="${named}">${html}`;
    if (encoding !== 'utf-16le') expect(decode(iconv.encode(meta, encoding))).toBe(meta);
  });

  test.each([
    ['windows-1252', 'Où est passé l’été ? Café crème, naïveté, garçon, Noël, cœur à l’œuvre.'],
    ['windows-1252', 'Größe und Maße: Äpfel, Öl, Übergröße, Fußgängerüberführung, schön süß.'],
    ['windows-1252', '<title>Ï</title>'],
    ['iso-8859-2', 'Zażółć gęślą jaźń, łódź, źrebię'],
    ['iso-8859-7', 'Η Ελλάδα είναι μια χώρα στη νοτιοανατολική Ευρώπη'],
    ['gbk', '联通 中国的首都是北京，欢迎访问我们的网站'],
    ['shift_jis', 'ようこそ日本語のホームページへ'],
    ['windows-1251', rare],
  ])('%s is used where it may be right: %s', (encoding, html) => {
    expect(decode(iconv.encode(html, encoding), `text/html; charset=${encoding}`)).toBe(html);
  });

  test('a page of UTF-8 with a broken letter stays UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from(russian),
      Buffer.from([0xd0, 0x20]),
      Buffer.from('да'),
    ]);
    expect(decode(bytes, 'text/html; charset=utf-8')).toBe(`${russian}\ufffd да`);
  });
});

test('the text does not depend on how the bytes are split', () => {
  const pages = [
    iconv.encode(russian, 'windows-1251'),
    iconv.encode(russian.replace('—', '-'), 'koi8-r'),
    Buffer.from(russian),
    iconv.encode(russian, 'utf-16le', { addBOM: true }),
    Buffer.from(`${'a'.repeat(3_000)}${russian}`),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...pages), fc.integer({ min: 1, max: 4_000 }), (bytes, size) => {
      expect(decode(bytes, 'text/html', size)).toBe(decode(bytes, 'text/html'));
    }),
  );
});

test('any bytes decode to well-formed text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3_000 }),
      fc.integer({ min: 1, max: 999 }),
      (bytes, size) => {
        expect(decode(bytes, undefined, size).isWellFormed()).toBe(true);
      },
    ),
  );
});
