/** Answers of the API that the page uses, as docs/openapi.json has them. */

export interface PageSession {
  login: string;
  is_admin: boolean;
  /** Unix seconds. */
  expired_at: number;
  must_change_password: boolean;
}

/** Amounts are rubles with at most six decimals: see lib/money.ts. */
export interface Account {
  login: string;
  is_admin: boolean;
  balance: number;
  held: number;
  available: number;
  credit_limit: number;
  limits: {
    requests_per_minute: number | null;
    tokens_per_minute: number | null;
    rubles_per_day: number | null;
    models: number[] | null;
  };
  trust_allowance: number;
  trust_remaining: number;
  created_at: number;
}

export type KeyScope = 'chat' | 'full' | 'admin';

export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  scope: KeyScope;
}

export interface UsageDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  model_id: number;
  model: string;
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  spend: number;
}

export interface Usage {
  days: UsageDay[];
  total_spend: number;
}

export interface Model {
  /** The parameter `ai` of a send. */
  id: number;
  code: string;
  model: string;
  description: string;
  description_full: string;
  type: 'TEXT' | 'IMAGE';
  modality: string;
  max_input_tokens: number;
  max_output_tokens: number;
  min_temperature: number;
  max_temperature: number;
  is_chat_mode_allowed: 0 | 1;
  /** Rubles for 1,000,000 tokens. */
  cost_input_tokens_rub: number;
  cost_output_tokens_rub: number;
  /** Rubles for each request, and for each answer or image. */
  cost_input_fix_rub: number;
  cost_output_fix_rub: number;
  priced: boolean;
}

export interface Room {
  room_id: string;
  title: string;
  message_count: number;
  spend: number;
  created_at: number;
  last_used_at: number;
}

/** A message with its answer, as the history has it. Numbers are digits as text; empty where unknown. */
export interface HistoryItem {
  message_id: string;
  system_prompt: string;
  request: string;
  /** The answer, or the address of the image. */
  response: string;
  ai: Model;
  response_at: string;
  created_at: string;
  usage_prompt_tokens: string;
  usage_completion_tokens: string;
  state: 'pending' | 'done' | 'stopped' | 'failed';
  usage_source: string;
  finish_reason: string;
  error_code: string;
  cost_request: number;
  cost_response: number;
}

/** The answer to a send. */
export interface SendResult {
  room_id: string;
  id: number;
  request: string;
  response: string;
  cost_request: number;
  cost_response: number;
  ai: Model;
  usage: { prompt_tokens: number; completion_tokens: number; source: string };
  finish_reason: string;
  balance: number;
  context_used: number;
  warnings: string[];
}

export interface Estimate {
  cost_max: number;
  warnings: string[];
}

export interface TrustPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  xt: number;
  spam: number;
  formula: string;
  release: string;
  cause: 'first' | 'release' | 'formula' | 'page';
}

export interface TrustRecord {
  domain: string;
  /** 0 to 10. */
  xt: number;
  title: string;
  remaining: number;
  colour: 'зел' | 'жел' | 'ор';
  workability: 'да' | 'не известно';
  acceptors: number;
  donors: number;
  /** Percent. */
  spam: number;
  history: TrustPoint[];
  confidence: 'none' | 'low' | 'medium' | 'high';
  /** Points add up to xt, log-odds to the log-odds of spam. */
  components: {
    name: string;
    unit: 'points' | 'log-odds';
    value: number;
    weight: number;
    contribution: number;
  }[];
  reasons: string[];
  top_donors: { domain: string; share: number }[];
  page: {
    fetched_at: string | null;
    status: number | null;
    final_url: string | null;
    language: string | null;
    parked: boolean | null;
    external_domains: number | null;
  };
  release: string | null;
  formula: string;
}

/** A user as admins see them. */
export interface User extends Omit<Account, 'trust_allowance' | 'trust_remaining'> {
  id: number;
  is_blocked: boolean;
  must_change_password: boolean;
  trust_allowance: number | null;
  erased_at: number | null;
}

export interface CatalogueChanges {
  changes: { kind: 'added' | 'changed' | 'retired' | 'returned'; subject: string; text: string }[];
  warnings: string[];
}

export interface CatalogueShown {
  providers: { code: string; kind: string; base_url: string | null; api_key: string | null }[];
  models: (Model & { origin: string; fallbacks: number[] })[];
}
