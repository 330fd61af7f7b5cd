import type { Page } from 'playwright-core';

/** The appearance in which a screen is shown. */
export interface Look {
  language: 'en' | 'ru';
  theme: 'light' | 'dark';
  width: number;
}

const HEIGHT = 800;

/** Call it before the page is opened. */
export async function choose(page: Page, { language, theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.addInitScript(
    `localStorage.setItem('zastava-language', '${language}'); localStorage.setItem('zastava-theme', '${theme}')`,
  );
}
