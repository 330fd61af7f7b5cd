import { call, type Data } from '../api/client.ts';
import { dateTime, number } from '../i18n/format.ts';
import { useAction } from '../ui/action.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

interface ReleasesProps {
  shown: Data<'/admin/trust/releases/'>;
  onChange: () => void;
}

/** The releases of the link graph on this node. */
export function Releases({ shown: { releases, fault }, onChange }: ReleasesProps) {
  const words = w().releases;
  const { error, run: attempt } = useAction();
  const run = (work: Promise<unknown>) => void attempt(() => work.then(onChange));
  const remove = (release: string) => {
    if (!confirm(words.confirmRemove(release))) return;
    run(call('/admin/trust/releases/remove/', { release }));
  };
  const numbers = [words.domains, words.links];
  return (
    <>
      {fault !== null && <p class="bad">{`${words.fault} ${fault}`}</p>}
      <ErrorProblem error={error.value} />
      {releases.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Table
          name={words.title}
          columns={[words.name, ...numbers, words.created, words.ranked, words.current]}
          numbers={numbers}
        >
          {releases.map(({ name, domains, links, created, ranked, current, base }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{number(domains)}</td>
              <td class="number">{number(links)}</td>
              <td>{dateTime(Date.parse(created) / 1000)}</td>
              <td>{ranked ? w().yes : w().no}</td>
              <td>
                {current || base ? (
                  current ? (
                    w().yes
                  ) : (
                    words.base
                  )
                ) : (
                  <>
                    <button
                      type="button"
                      disabled={!ranked}
                      aria-label={`${words.use}: ${name}`}
                      onClick={() => run(call('/admin/trust/releases/use/', { release: name }))}
                    >
                      {words.use}
                    </button>{' '}
                    <button
                      type="button"
                      aria-label={`${words.remove}: ${name}`}
                      onClick={() => remove(name)}
                    >
                      {words.remove}
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
