import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { dateTime, number } from '../i18n/format.ts';
import { useAction } from '../ui/action.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Job = Data<'/admin/trust/jobs/'>['jobs'][number];

/** The jobs on the link graph, newest first, with their current steps. */
export function Jobs({ jobs, onChange }: { jobs: readonly Job[]; onChange: () => void }) {
  const words = w().jobs;
  const { error, run } = useAction();
  const stopping = useSignal<string | undefined>(undefined);
  const stop = async (id: string) => {
    stopping.value = id;
    await run(async () => {
      await call('/admin/trust/jobs/stop/', { id });
      onChange();
    });
    stopping.value = undefined;
  };
  if (jobs.length === 0) return <p>{words.none}</p>;
  return (
    <>
      <ErrorProblem error={error.value} />
      <Table name={words.title} columns={[words.work, w().state, words.progress, words.stop]}>
        {jobs.map((job) => (
          <tr key={job.id}>
            <th scope="row">
              {words.works[job.work] ?? job.work} {job.release}
              <p class="small" dir="auto">
                {`${dateTime(job.asked_at)}, ${words.by(job.asked_by)}`}
              </p>
            </th>
            <td class={job.state === 'failed' ? 'bad' : undefined}>
              {words.states[job.state] ?? job.state}
            </td>
            <td>
              <Progress job={job} />
            </td>
            <td>
              {job.ended_at === null && (
                <button
                  type="button"
                  disabled={stopping.value === job.id}
                  aria-label={`${words.stop}: ${words.works[job.work] ?? job.work}`}
                  onClick={() => void stop(job.id)}
                >
                  {words.stop}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Progress({ job: { progress, warnings, error, state } }: { job: Job }) {
  const words = w().jobs;
  const { step, done = null, total = null } = progress ?? {};
  return (
    <>
      {step !== undefined && (
        <p>
          {step}
          {done !== null && `: ${number(done)}${total === null ? '' : ` / ${number(total)}`}`}
        </p>
      )}
      {state === 'running' && (
        <progress
          aria-label={words.progress}
          {...(done !== null && total !== null && total > 0 && { value: done, max: total })}
        />
      )}
      {error !== null && <p class="bad">{error.message}</p>}
      {warnings.length > 0 && (
        <details>
          <summary>{words.warnings(number(warnings.length))}</summary>
          <ul>
            {warnings.map((warning, index) => (
              <li key={index} dir="auto">
                {warning}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
