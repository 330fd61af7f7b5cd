import type { ComponentChildren } from 'preact';

interface TableProps {
  /** What the table lists: the name of the scrolling region. */
  name: string;
  /** The heads of the columns. */
  columns: readonly string[];
  /** The columns of numbers, which are aligned to the right. */
  numbers?: readonly string[];
  /** The rows. */
  children: ComponentChildren;
  /** The row of sums. */
  foot?: ComponentChildren;
}

/** A table that scrolls separately if the page is narrow. */
export function Table({ name, columns, numbers = [], children, foot }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numbers.includes(column) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}
