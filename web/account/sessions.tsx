import { type Body, call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { dateTime } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useAction } from '../ui/action.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** Where the user is logged in, with buttons that end one session or all others. */
export function Sessions() {
  const words = t().account;
  const { error, run } = useAction();
  const loaded = useLoaded((signal) => call('/account/sessions/', {}, { signal }));
  const end = (body: Body<'/account/sessions/end/'>) =>
    run(async () => {
      await call('/account/sessions/end/', body);
      announce(words.sessionEnded);
      loaded.reload();
    });
  const columns = [
    words.sessionKind,
    words.sessionFrom,
    words.sessionStarted,
    words.sessionExpires,
    t().keys.state,
  ];
  return (
    <>
      <ErrorProblem error={error.value} />
      <Show of={loaded}>
        {({ sessions }) => (
          <>
            <Table name={words.sessions} columns={columns}>
              {sessions.map((one) => (
                <tr key={one.id}>
                  <td>
                    {one.device ?? words.sessionKinds[one.kind]}
                    {one.device !== null && <div class="small">{words.sessionKinds[one.kind]}</div>}
                  </td>
                  <td>{one.address}</td>
                  <td>{dateTime(one.started_at)}</td>
                  <td>{dateTime(one.expires_at)}</td>
                  <td>
                    {one.is_current ? (
                      words.thisSession
                    ) : (
                      <button
                        type="button"
                        aria-label={words.endOf(dateTime(one.started_at))}
                        onClick={() => void end({ id: one.id })}
                      >
                        {words.endSession}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            {sessions.some((one) => !one.is_current) && (
              <p>
                <button type="button" onClick={() => void end({ others: true })}>
                  {words.endOthers}
                </button>
              </p>
            )}
          </>
        )}
      </Show>
    </>
  );
}
