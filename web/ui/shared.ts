/**
 * Modules that most areas use. Each area and the shell import this file, so that they become one file of the first
 * load: otherwise the bundler makes a file for every set of areas that share a module, which costs requests, and 2 KB
 * after gzip.
 */
import './action.ts';
import './choice.tsx';
import './copy-button.tsx';
import './countdown.ts';
import './csv-button.tsx';
import './disclosure.ts';
import './facts.tsx';
import './field.tsx';
import './limit-fields.tsx';
import './loaded.tsx';
import './modal.tsx';
import './pages.tsx';
import './parts.tsx';
import './price-hours.ts';
import './stacked-bars.tsx';
import './states.tsx';
import './submit.ts';
import './table.tsx';
import './title.tsx';
import '../lib/csv.ts';
import '../lib/money.ts';
import '../lib/save-file.ts';
import '../i18n/format.ts';
import '../account/password.tsx';
import '../app/balance.ts';
import '../keys/calls.ts';
import '../markdown/code.tsx';
import '../keys/keys.tsx';
import '../app/session.ts';
import '../app/shortcuts.ts';
import '../login/password-field.tsx';
import './shown-once.tsx';
