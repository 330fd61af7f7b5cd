import { signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const THEME_KEY = 'zastava-theme';

export const theme = signal<Theme>('auto');

/** Shows the theme that the user last chose. */
export function startTheme(): void {
  const chosen = localStorage.getItem(THEME_KEY);
  show(themes.find((one) => one === chosen) ?? 'auto');
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(THEME_KEY, chosen);
  show(chosen);
}

function show(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset['theme'] = chosen;
}
