import { chooseLanguage, language, t, type Language } from '../i18n/index.ts';
import { useEffect } from 'preact/hooks';
import { rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { account, refreshAccount } from './balance.ts';
import { hrefOf, route } from './routes.ts';
import { areas } from './screens.ts';
import { logOut, session } from './session.ts';
import { chooseTheme, theme, themes, type Theme } from './theme.ts';

/** Areas, language, theme and logout. */
export function Header() {
  const words = t();
  const [current] = route.value.split('/');
  const shown = areas.filter(({ forAdmins }) => !forAdmins || session.value?.is_admin);
  return (
    <header class="top">
      <a class="brand" href={hrefOf('')}>
        {words.product}
      </a>
      <nav aria-label={words.navigation}>
        {shown.map(({ name }) => (
          <a key={name} href={hrefOf(name)} aria-current={name === current ? 'page' : undefined}>
            {words.areas[name]}
          </a>
        ))}
        <a href="/docs">{words.forDevelopers}</a>
      </nav>
      <div class="tools">
        <Preferences />
        <Available />
        <span class="who" dir="auto">
          {session.value?.login}
        </span>
        <button type="button" onClick={() => void logOut().catch(() => undefined)}>
          {words.logOut}
        </button>
      </div>
    </header>
  );
}

/** What can be spent now. */
function Available() {
  useEffect(() => void refreshAccount().catch(() => undefined), []);
  if (!account.value) return null;
  return (
    <span class="small">
      {t().available}: {rubles(micro(account.value.available))}
    </span>
  );
}

/** The choices that stay in the browser: language and theme. */
export function Preferences() {
  const words = t();
  const names: Record<Theme, string> = {
    auto: words.themeAuto,
    light: words.themeLight,
    dark: words.themeDark,
  };
  return (
    <>
      <select
        aria-label={words.language}
        value={language.value}
        onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="ru" lang="ru">
          Русский
        </option>
      </select>
      <select
        aria-label={words.theme}
        value={theme.value}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
    </>
  );
}
