import { queryIn, indexedWords, type Database, type Param } from '../../db/index.ts';
import { invalidField } from '../../lib/errors.ts';
import type { Room, Rooms } from '../rooms/rooms.ts';
import { Marker, type Piece } from './excerpt.ts';
import { SEARCHED_CHARS_MAX, SearchIndex } from './search-index.ts';
import { isPrefix, ofUser, stemsOf, wordsOf } from './words.ts';

export const QUERY_WORDS_MAX = 10;
/** How many of the most recently used rooms have their titles searched. */
const TITLES_MAX = 1000;

export interface SearchQuery {
  query: string;
  limit: number;
  /** For the next page: only messages before this one. */
  before: number | undefined;
}

export interface FoundRoom {
  room: Room;
  title: Piece[];
}

export interface FoundMessage {
  id: number;
  roomId: string;
  title: string;
  createdAt: number;
  excerpt: Piece[];
}

export interface Found {
  /** Rooms whose titles contain all words; only on the first page. */
  rooms: FoundRoom[];
  /** The newest first. */
  messages: FoundMessage[];
  /** Where the next page begins; null after the last one. */
  next: number | null;
  /** The user's newest messages that could not be searched yet. */
  notIndexed: number;
}

interface Row {
  id: number;
  roomId: string;
  title: string;
  request: string;
  response: string;
  createdAt: number;
}

/** Searches the titles of a user's rooms and the texts of the messages. */
export class Search {
  readonly #db: Database;
  readonly #rooms: Rooms;
  readonly index: SearchIndex;

  constructor(db: Database, rooms: Rooms) {
    this.#db = db;
    this.#rooms = rooms;
    this.index = new SearchIndex(db);
  }

  /**
   * Finds messages and titles that contain all words of a query, in any order. A word of three letters or more also
   * matches words that begin with it; PostgreSQL also finds other forms of Russian and English words.
   * @throws `invalid_request` for a query without words, or with too many
   */
  async find(userId: number, { query, limit, before }: SearchQuery): Promise<Found> {
    const words = [...new Set([...wordsOf(query)].map(({ folded }) => folded))];
    if (words.length === 0) throw invalidField('query', 'must have a letter or a digit');
    if (words.length > QUERY_WORDS_MAX) {
      throw invalidField('query', `must have at most ${QUERY_WORDS_MAX} different words`);
    }
    const stems = await stemsOf(this.#db)(words);
    const terms = [...new Set(stems.values())];
    const notIndexed = await this.index.catchUp(userId);
    const ids = await this.#ids(userId, terms, { limit, before });
    return {
      rooms: before === undefined ? await this.#titles(userId, terms, limit) : [],
      messages: await this.#messages(userId, terms, ids),
      next: ids.length === limit ? (ids.at(-1) ?? null) : null,
      notIndexed,
    };
  }

  async #titles(userId: number, terms: readonly string[], limit: number): Promise<FoundRoom[]> {
    const rooms = await this.#rooms.list(userId, TITLES_MAX, undefined);
    const titles = rooms.map(({ title }) => title);
    const marker = await Marker.for(terms, titles, stemsOf(this.#db));
    return rooms
      .filter(({ title }) => marker.hasAll(title))
      .slice(0, limit)
      .map((room) => ({ room, title: marker.pieces(room.title) }));
  }

  async #ids(
    userId: number,
    terms: readonly string[],
    { limit, before }: Pick<SearchQuery, 'limit' | 'before'>,
  ): Promise<number[]> {
    const params = (query: string): Param[] => [
      userId,
      query,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ];
    const rows =
      this.#db.dialect === 'postgres'
        ? await this.#db.query<{ id: number }>(postgresIds, params(tsquery(userId, terms)))
        : await this.#db.query<{ id: number }>(sqliteIds, params(ftsQuery(userId, terms)));
    return rows.map(({ id }) => id);
  }

  async #messages(
    userId: number,
    terms: readonly string[],
    ids: readonly number[],
  ): Promise<FoundMessage[]> {
    const rows = await queryIn<Row>(
      this.#db,
      `SELECT m.id, m.room_id AS "roomId", r.title, m.created_at AS "createdAt",
         SUBSTR(m.request, 1, ${SEARCHED_CHARS_MAX}) AS request,
         SUBSTR(m.response, 1, ${SEARCHED_CHARS_MAX}) AS response
       FROM messages m JOIN rooms r ON r.room_id = m.room_id
       WHERE m.user_id = $1 AND m.id IN (LIST)
         AND r.deleted_at IS NULL AND m.id > r.erased_through`,
      ids,
      [userId],
    );
    const texts = rows.flatMap(({ request, response }) => [request, response]);
    const marker = await Marker.for(terms, texts, stemsOf(this.#db));
    return rows
      .toSorted((a, b) => b.id - a.id)
      .map(({ request, response, ...row }) => ({
        ...row,
        excerpt: marker.excerpt(request) ?? marker.excerpt(response) ?? [],
      }));
  }
}

/** Rows of a user are added in the order of the messages, so that FTS5 gives the newest first without sorting. */
const sqliteIds = `SELECT t.message_id AS id FROM search_fts f JOIN search_texts t ON t.number = f.rowid
  WHERE f.search_fts MATCH $2 AND t.user_id = $1 AND f.rowid < COALESCE((SELECT n.number FROM search_texts n
    WHERE n.user_id = $1 AND n.message_id >= $3 ORDER BY n.message_id LIMIT 1), ${Number.MAX_SAFE_INTEGER})
  ORDER BY f.rowid DESC LIMIT $4`;

/** Finds the words first, by their index: another plan would compute the words of each of the user's rows. */
const postgresIds = `WITH found AS MATERIALIZED (SELECT user_id, message_id FROM search_texts
    WHERE ${indexedWords} @@ CAST($2 AS tsquery))
  SELECT message_id AS id FROM found WHERE user_id = $1 AND message_id < $3
  ORDER BY message_id DESC LIMIT $4`;

/** Words contain only letters, digits and their marks, so nothing inside the quotes is read as syntax. */
function ftsQuery(userId: number, terms: readonly string[]): string {
  return terms.map((term) => `"${ofUser(userId, term)}"${isPrefix(term) ? '*' : ''}`).join(' AND ');
}

function tsquery(userId: number, terms: readonly string[]): string {
  return terms.map((term) => `'${ofUser(userId, term)}'${isPrefix(term) ? ':*' : ''}`).join(' & ');
}
