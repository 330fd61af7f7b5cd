import type { ComponentChildren } from 'preact';

/** Names with their values, in columns. */
export function Facts({
  of,
}: {
  of: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
