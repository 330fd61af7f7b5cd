import { expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { withPage } from './chromium.ts';

test('the packaged browser renders a page', async () => {
  const picture = await withPage(async (page) => {
    await page.setViewportSize({ width: 40, height: 30 });
    await page.goto('data:text/html,<body style="background: rgb(0, 128, 0)">');
    return page.screenshot();
  });
  const { width, height, data } = PNG.sync.read(picture);
  expect([width, height]).toEqual([40, 30]);
  expect([...data.subarray(0, 4)]).toEqual([0, 128, 0, 255]);
});
