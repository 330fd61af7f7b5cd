import { hrefOf } from '../app/routes.ts';

interface PartsProps {
  /** The name of the area. */
  title: string;
  /** The routes of its screens, with their names. */
  of: Readonly<Record<string, string>>;
  /** The route of the screen shown. */
  current: string;
  /** The query that the screens share, from its question mark on. */
  query?: string;
}

/** Links to the screens of an area. */
export function Parts({ title, of, current, query = '' }: PartsProps) {
  return (
    <nav class="parts" aria-label={title}>
      {Object.entries(of).map(([to, name]) => (
        <a key={to} href={hrefOf(to) + query} aria-current={to === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
