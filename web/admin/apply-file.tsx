import { useSignal } from '@preact/signals';
import { ApiError, call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { FileField } from '../ui/file-field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Changes } from './changes.tsx';
import { w } from './words/index.ts';

type Plan = Data<'/admin/catalogue/apply/'>;

interface ApplyFileProps {
  /** There is no file yet: an example is offered instead. */
  isFirst: boolean;
  onApplied: () => void;
}

/** First a dry run, whose changes are shown; then the same file is applied. */
export function ApplyFile({ isFirst, onApplied }: ApplyFileProps) {
  const { file: words } = w();
  const yaml = useSignal('');
  const plan = useSignal<Plan | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isDone = useSignal(false);
  const write = (text: string) => {
    yaml.value = text;
    plan.value = undefined;
    isDone.value = false;
  };
  const take = async () => {
    error.value = undefined;
    try {
      const answer = await call('/admin/catalogue/yaml/', {});
      write(isFirst ? answer.example : answer.yaml);
    } catch (thrown) {
      error.value = thrown;
    }
  };
  const run = async (isDry: boolean) => {
    error.value = undefined;
    isDone.value = false;
    try {
      const seen = isDry ? undefined : plan.value?.revision;
      const body = { yaml: yaml.value, dry_run: isDry, revision: seen };
      const answer = await call('/admin/catalogue/apply/', body);
      plan.value = isDry ? answer : undefined;
      if (isDry) return;
      isDone.value = true;
      announce(words.applied);
      onApplied();
    } catch (thrown) {
      plan.value = undefined;
      error.value = thrown;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(true);
      }}
    >
      <div class="row">
        <FileField label={words.open} accept=".yaml,.yml" onText={write} />
        <button type="button" onClick={() => void take()}>
          {isFirst ? words.example : words.current}
        </button>
      </div>
      <label class="field">
        {words.yaml}
        <textarea
          class="code"
          rows={10}
          spellcheck={false}
          value={yaml.value}
          onInput={(event) => write(event.currentTarget.value)}
          required
        />
      </label>
      <p class="hint">{words.hint}</p>
      {error.value !== undefined && <FileProblems error={error.value} />}
      {isDone.value && <p class="good">{words.applied}</p>}
      <button type="submit">{words.show}</button>
      {plan.value && <PlanView plan={plan.value} onApply={() => void run(false)} />}
    </form>
  );
}

/** What is wrong with a file, line by line. */
function FileProblems({ error }: { error: unknown }) {
  const { file: words } = w();
  if (!(error instanceof ApiError) || error.details.length === 0) {
    return <ErrorProblem error={error} />;
  }
  return (
    <div class="problem" role="alert">
      <p>{words.problems}</p>
      <ul>
        {error.details.map(({ path, message }, index) => (
          <li key={index} dir="auto">
            {path !== '' && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlanView({ plan, onApply }: { plan: Plan; onApply: () => void }) {
  const words = w();
  const isSame = plan.changes.length === 0;
  return (
    <div class="notice" role="group" aria-label={words.file.changes}>
      <p role="status">{isSame ? words.file.none : words.file.changes}</p>
      {!isSame && <Changes changes={plan.changes} />}
      {plan.warnings.map((warning) => (
        <p key={warning} class="warn" dir="auto">
          {warning}
        </p>
      ))}
      {!isSame && (
        <p>
          <button type="button" class="primary" onClick={onApply}>
            {words.apply}
          </button>
        </p>
      )}
    </div>
  );
}
