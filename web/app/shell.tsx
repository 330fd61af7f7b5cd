import '../ui/shared.ts';
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { isOffline } from '../api/client.ts';
import { PasswordForm } from '../account/password.tsx';
import { t } from '../i18n/index.ts';
import { ConfirmDialog } from '../login/confirm.tsx';
import { LoginDialog, LoginScreen } from '../login/login.tsx';
import { RegisterScreen } from '../login/register.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';
import { Announcer } from './announcer.tsx';
import { Header } from './header.tsx';
import { navigate, query, route } from './routes.ts';
import { type Area, areas, type AreaProps, firstArea } from './screens.ts';
import { ShortcutList } from './shortcut-list.tsx';
import { hasEnded, loadSession, session } from './session.ts';

/** The whole page, which depends on who is logged in. */
export function Shell() {
  const who = session.value;
  const mustSetUp = who?.must_set_up_second_factor ?? false;
  const goes = who ? 'page' : who === null ? 'login' : 'unknown';
  useEffect(() => {
    if (goes === 'login' && !isForVisitors()) {
      navigate('login', { replace: true, query: { next: route.value } });
    }
  }, [goes, route.value]);
  if (goes === 'unknown') return <Unreachable />;
  if (goes === 'login') return route.value === 'register' ? <RegisterScreen /> : <LoginScreen />;
  return (
    <>
      <a class="skip" href="#content">
        {t().skip}
      </a>
      <Header />
      {isOffline.value && (
        <p class="banner" role="status">
          {t().offline}
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {who?.must_change_password ? <InitialPassword /> : <Screen mustSetUp={mustSetUp} />}
      </main>
      <Announcer />
      <ShortcutList />
      <ConfirmDialog />
      {hasEnded.value && <LoginDialog />}
    </>
  );
}

function isForVisitors(): boolean {
  return route.value === 'login' || route.value === 'register';
}

/** With an initial password, the user can only change the password. */
function InitialPassword() {
  return (
    <>
      <Title name={t().account.password} />
      <p>{t().login.mustChange}</p>
      <PasswordForm />
    </>
  );
}

/** The server could not be asked who is logged in. */
function Unreachable() {
  return (
    <main id="content" class="narrow">
      <h1>{t().product}</h1>
      <p role="alert">{t().errors['offline']}</p>
      <button type="button" onClick={() => void loadSession().catch(() => undefined)}>
        {t().repeat}
      </button>
    </main>
  );
}

/** The area of the route. @param mustSetUp only the account opens, and asks the user to set up a second factor */
function Screen({ mustSetUp }: { mustSetUp: boolean }) {
  const [name = '', ...rest] = route.value.split('/');
  const shown = mustSetUp ? 'account' : name;
  const area = areas.find((one) => one.name === shown);
  useEffect(() => {
    if (name === '' || name === 'login') navigate(nextRoute() ?? firstArea, { replace: true });
  }, [name]);
  if (name === '' || name === 'login') return null;
  if (name === 'register') return <Registered />;
  if (!area) return <h1>{t().notFound}</h1>;
  if (area.forOperators && session.value?.role === 'user') return <h1>{t().forOperators}</h1>;
  return <LoadedArea key={shown} area={area} rest={rest.join('/')} />;
}

/** Where to go after the login: only a route of the page is accepted. */
function nextRoute(): string | undefined {
  const next = query.value.get('next');
  return next && areas.some(({ name }) => next === name || next.startsWith(`${name}/`))
    ? next
    : undefined;
}

type LoadedAreaProps = AreaProps & { area: Area };

function LoadedArea({ area: { name, load }, rest }: LoadedAreaProps) {
  const loaded = useSignal<{ Area: FunctionComponent<AreaProps> } | undefined>(undefined);
  const failed = useSignal(false);
  useEffect(() => {
    load().then(
      (Area) => (loaded.value = { Area }),
      () => (failed.value = true),
    );
  }, []);
  if (failed.value) return <NotLoaded name={t().areas[name]} />;
  if (!loaded.value) return <Skeleton />;
  const { Area } = loaded.value;
  return <Area rest={rest} />;
}

/** The code of an area could not be loaded: it no longer exists once the server has a new version of the page. */
function NotLoaded({ name }: { name: string }) {
  const words = isOffline.value ? t().errors['offline'] : t().newVersion;
  return (
    <>
      <Title name={name} />
      <Problem words={words ?? ''} act={t().reload} onAct={() => location.reload()} />
    </>
  );
}

/** Only visitors can register. */
function Registered() {
  const words = t().register;
  return (
    <>
      <Title name={words.title} />
      <p>{words.loggedIn(session.value?.login ?? '')}</p>
    </>
  );
}
