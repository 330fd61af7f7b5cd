import { useEffect } from 'preact/hooks';
import { chooseLanguage, language, t, type Language } from '../i18n/index.ts';
import { rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { useDisclosure } from '../ui/disclosure.ts';
import { account, refreshAccount } from './balance.ts';
import { hrefOf, route } from './routes.ts';
import { areas } from './screens.ts';
import { logOut, session } from './session.ts';
import { isListOpen } from './shortcuts.ts';
import { chooseTheme, theme, themes, type Theme } from './theme.ts';

const MENU_ID = 'menu';

/** One row: areas, balance, and a button that opens language, theme and logout; on narrow screens also the areas. */
export function Header() {
  const words = t();
  const { isOpen, root, button, onKeyDown } = useDisclosure<HTMLElement>();
  useEffect(() => void (isOpen.value = false), [route.value]);
  return (
    <header class="top" ref={root} onKeyDown={onKeyDown}>
      <a class="brand" href={hrefOf('')}>
        {words.product}
      </a>
      <button
        type="button"
        class="opens-menu"
        ref={button}
        aria-expanded={isOpen.value}
        aria-controls={MENU_ID}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {words.menu}
      </button>
      <div class="menu" id={MENU_ID} data-open={isOpen.value}>
        <Areas />
        <div class="tools">
          <Preferences />
          <span class="who" dir="auto">
            {session.value?.login}
          </span>
          <button type="button" onClick={() => (isListOpen.value = true)}>
            {words.shortcuts.title}
          </button>
          <button type="button" onClick={() => void logOut().catch(() => undefined)}>
            {words.logOut}
          </button>
        </div>
      </div>
      <Available />
    </header>
  );
}

function Areas() {
  const words = t();
  const [current] = route.value.split('/');
  const isOperator = session.value?.role !== 'user';
  const shown = areas.filter(({ forOperators }) => !forOperators || isOperator);
  return (
    <nav aria-label={words.navigation}>
      {shown.map(({ name }) => (
        <a key={name} href={hrefOf(name)} aria-current={name === current ? 'page' : undefined}>
          {words.areas[name]}
        </a>
      ))}
    </nav>
  );
}

/** What can be spent now. */
function Available() {
  const { must_change_password: isNew, must_set_up_second_factor: mustSetUp } = session.value ?? {};
  const opensNothing = isNew === true || mustSetUp === true;
  useEffect(() => {
    if (!opensNothing) void refreshAccount().catch(() => undefined);
  }, [opensNothing]);
  if (!account.value) return null;
  return (
    <span class="available small">
      <span class="label">{t().available}: </span>
      {rubles(micro(account.value.available))}
    </span>
  );
}

/** The choices that are stored in the browser: language and theme. */
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
