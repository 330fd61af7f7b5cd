import type { Page } from 'playwright-core';

/** How a screen is looked at. */
export interface Look {
  language: 'en' | 'ru';
  theme: 'light' | 'dark';
  width: number;
}

const HEIGHT = 800;

/** Must come before the page is opened. */
export async function choose(page: Page, { language, theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.addInitScript(
    `localStorage.setItem('zastava-language', '${language}'); localStorage.setItem('zastava-theme', '${theme}')`,
  );
}
