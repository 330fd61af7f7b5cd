import { render } from 'preact';
import { startRouting } from './app/routes.ts';
import { loadSession } from './app/session.ts';
import { startShortcuts } from './app/shortcuts.ts';
import { Shell } from './app/shell.tsx';
import { startTheme } from './app/theme.ts';
import { language, useLanguage } from './i18n/index.ts';

startTheme();
startRouting();
startShortcuts();
const root = document.getElementById('app');
// Without a connection, the shell says so and retries.
await Promise.all([useLanguage(language.value), loadSession().catch(() => undefined)]);
if (root) render(<Shell />, root);
