/** Generated from docs/openapi.json: change the schemas of src/http, and run `npm run generate`. */

/** The JSON operations by path: what each takes, and the `data` of its answer. */
export interface Operations {
  '/auth/login/': {
    body: {
      login: string;
      password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
    };
    data: Token;
  };
  '/auth/register/show/': {
    body: {
      /** The code of an invitation, in upper or lower case, with or without hyphens and spaces. */
      code?: string | null | undefined;
    };
    data: {
      /** off: nobody; invitation: with an invitation; open: everybody. */
      registration: 'off' | 'invitation' | 'open';
      /** null: the request had no code. */
      invitation: {
        /** Your opening credit, in rubles. */
        credit: number;
        limits: UserLimits;
        /** null: never. */
        expires_at: number | null;
      } | null;
    };
  };
  '/auth/register/': {
    body: {
      /** 1 to 64 letters of any script, digits, ".", "_", "-" or "@". */
      login: string;
      /** At least 8 characters, at most 1,024 bytes in UTF-8. */
      password: string;
      /** The code of an invitation, in upper or lower case, with or without hyphens and spaces. */
      code?: string | null | undefined;
    };
    data: {
      login: string;
      /** Rubles, at most six decimals. */
      balance: number;
    };
  };
  '/ai/room/': {
    body: {
      /** Exactly 32 characters of 0-9, A-Z, a-z, _ and -. */
      room_id?: string | null | undefined;
    };
    data: {
      room_id: string;
    };
  };
  '/ai/settings/': {
    body: Record<string, never>;
    data: {
      ai: Model[];
    };
  };
  '/ai/send/': {
    body: {
      /** A room obtained from /ai/room/. */
      room_id: string;
      /** The id of a model from /ai/settings/. */
      ai: number;
      message: string;
      /** Images that the model sees with this message: https URLs, or data: URLs of PNG, JPEG, WebP or GIF in base64, which are stored and shown in the history. Only for models that take images. Later contexts say `[image]`. */
      images?: string[] | null | undefined;
      /** Role, context and rules of the model. */
      system_prompt?: string | null | undefined;
      /** How many earlier messages of the room are sent along, each with its answer. A failed message does not count; a message with an empty answer counts, but is left out. */
      chat_depth?: number | null | undefined;
      /** The id of a message, to answer it again or to edit it. The context is the messages before it, and the new message takes its place: it and the messages after it stay in the history, but are in no later context. */
      context_before?: (string | number) | null | undefined;
      /** Cap on the answer, at most the model's maximum, which is the default. */
      max_output_tokens?: number | null | undefined;
      /** Within the range of the model; absent: not sent to the provider. */
      temperature?: number | null | undefined;
      /** For reproducible images; null: random. */
      seed?: number | null | undefined;
      /** true: the send goes on when you leave, until it ends or /ai/stop/ ends it. The same request with the same Idempotency-Key follows it: a stream gets all pieces from the first on. */
      detached?: boolean | null | undefined;
      /** true: the answer comes as text/event-stream. */
      stream?: boolean | null | undefined;
    };
    data: SendResult;
  };
  '/ai/stop/': {
    body: {
      /** The Idempotency-Key header of the send. */
      idempotency_key?: string | null | undefined;
      /** Together with `id`, in place of the key. */
      room_id?: string | null | undefined;
      /** The `id` of the event `start`. */
      id?: number | null | undefined;
    };
    data: {
      room_id: string;
      id: number;
      /** `pending`: the provider’s answer is still read to its end, since only the provider can count its tokens. */
      state: 'pending' | 'done' | 'failed' | 'stopped';
    };
  };
  '/ai/history/': {
    body: {
      /** null: the room that you used last. */
      room_id: string | null;
      /** true: also messages without an answer. */
      include_failed?: boolean | null | undefined;
      /** Only this many of the newest messages. */
      limit?: number | null | undefined;
      /** Only messages before this message_id. */
      before?: (string | number) | null | undefined;
    };
    data: {
      room_id: string;
      data: HistoryItem[];
    };
  };
  '/ai/estimate/': {
    body: {
      /** A room obtained from /ai/room/. */
      room_id: string;
      /** The id of a model from /ai/settings/. */
      ai: number;
      message: string;
      /** Images that the model sees with this message: https URLs, or data: URLs of PNG, JPEG, WebP or GIF in base64, which are stored and shown in the history. Only for models that take images. Later contexts say `[image]`. */
      images?: string[] | null | undefined;
      /** Role, context and rules of the model. */
      system_prompt?: string | null | undefined;
      /** How many earlier messages of the room are sent along, each with its answer. A failed message does not count; a message with an empty answer counts, but is left out. */
      chat_depth?: number | null | undefined;
      /** The id of a message, to answer it again or to edit it. The context is the messages before it, and the new message takes its place: it and the messages after it stay in the history, but are in no later context. */
      context_before?: (string | number) | null | undefined;
      /** Cap on the answer, at most the model's maximum, which is the default. */
      max_output_tokens?: number | null | undefined;
      /** Within the range of the model; absent: not sent to the provider. */
      temperature?: number | null | undefined;
      /** For reproducible images; null: random. */
      seed?: number | null | undefined;
      /** true: the send goes on when you leave, until it ends or /ai/stop/ ends it. The same request with the same Idempotency-Key follows it: a stream gets all pieces from the first on. */
      detached?: boolean | null | undefined;
      /** true: the answer comes as text/event-stream. */
      stream?: boolean | null | undefined;
    };
    data: {
      /** The highest possible cost, which a send holds. */
      cost_max: number;
      /** The cost of the input as the tokenizer counts it, and of an answer of your average length with this model in the last 7 days. */
      cost_likely: number;
      input_tokens_max: number;
      output_tokens_max: number;
      context_used: number;
      /** What happens to a stream if its client hangs up. `read_to_end`: the model may reason without showing it in the stream, so the provider’s answer is read to its end, and charged as a whole. */
      left_stream: 'stopped' | 'read_to_end';
      ai: Model;
      warnings: string[];
    };
  };
  '/ai/search/': {
    body: {
      /** Words, at most 10. Other characters separate them. */
      query: string;
      /** The highest number of rooms, and of messages. */
      limit?: number | null | undefined;
      /** For the next page: `next` of this one. */
      before?: (string | number) | null | undefined;
    };
    data: {
      /** By title, the most recently used first; on the first page only. */
      rooms: FoundRoom[];
      /** The newest first. */
      messages: FoundMessage[];
      /** The `before` of the next page; null: this is the last. */
      next: number | null;
      /** How many of your newest messages are not searched yet: ask again in a while. */
      not_indexed: number;
    };
  };
  '/ai/rooms/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** For the next page: the last room_id of this one. */
      before?: string | null | undefined;
    };
    data: {
      rooms: Room[];
    };
  };
  '/ai/room/rename/': {
    body: {
      /** A room obtained from /ai/room/. */
      room_id: string;
      title: string;
    };
    data: {
      room_id: string;
      title: string;
    };
  };
  '/ai/room/delete/': {
    body: {
      /** A room obtained from /ai/room/. */
      room_id: string;
    };
    data: {
      room_id: string;
      deleted: true;
    };
  };
  '/trust/check/': {
    body: {
      url: string;
      /** 0: no history; 1 or 2: its points. */
      history?: (0 | 1 | 2) | null | undefined;
    };
    data: TrustRecord;
  };
  '/trust/bulk/': {
    body: {
      urls: string[];
      /** 0: no history; 1 or 2: its points. */
      history?: (0 | 1 | 2) | null | undefined;
    };
    data: {
      records: (
        | TrustRecord
        | {
            url: string;
            error: string;
            message: string;
          }
      )[];
    };
  };
  '/trust/history/': {
    body: {
      url: string;
    };
    data: {
      domain: string;
      /** Oldest first. */
      history: TrustPoint[];
    };
  };
  '/trust/last/': {
    body: {
      url: string;
    };
    data: {
      domain: string;
      /** Oldest first. */
      history: TrustPoint[];
      /** null: the site was never checked, or the score has changed since: make a check. */
      record: TrustRecord | null;
    };
  };
  '/account/': { body: Record<string, never>; data: Account };
  '/account/password/': {
    body: {
      current_password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
      /** At least 8 characters, at most 1,024 bytes in UTF-8. */
      new_password: string;
    };
    data: {
      changed: true;
    };
  };
  '/account/keys/': {
    body: {
      name?: string | null | undefined;
      /** Unix seconds, in the future; absent or null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** Absent or null: the role of an operator or admin, full for others; if you call with a key, the scope of that key. Only keys of admins can have admin, and only those of operators and admins operator or credit. */
      scope?: ('chat' | 'trust' | 'credit' | 'full' | 'operator' | 'admin') | null | undefined;
      /** Words by which you group keys. */
      tags?: string[] | null | undefined;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
      /** Above 0: charges of a calendar month, and holds. */
      rubles_per_month?: (number | string) | null | undefined;
      /** Above 0: all charges since the key was made, and holds. */
      rubles_total?: (number | string) | null | undefined;
      /** The id of the key to revoke. */
      revoke?: string | null | undefined;
    };
    data:
      | {
          keys: ApiKey[];
        }
      | NewApiKey
      | {
          id: string;
          revoked: true;
        };
  };
  '/account/keys/limit/': {
    body: {
      /** The id of the key, not the key itself. */
      id: string;
      /** Unix seconds, in the future; null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** Words by which you group keys; null: none. */
      tags?: string[] | null | undefined;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
      /** Above 0: charges of a calendar month, and holds. */
      rubles_per_month?: (number | string) | null | undefined;
      /** Above 0: all charges since the key was made, and holds. */
      rubles_total?: (number | string) | null | undefined;
    };
    data: ApiKey;
  };
  '/account/keys/rotate/': {
    body: {
      /** The id of the key, not the key itself. */
      id: string;
      /** Unix seconds: when the present secret expires; 0: at once; absent or null: in 24 hours. */
      old_until?: number | null | undefined;
    };
    data: RotatedApiKey;
  };
  '/account/sessions/': {
    body: Record<string, never>;
    data: {
      sessions: Session[];
    };
  };
  '/account/sessions/end/': {
    body: {
      /** The id of a session. */
      id?: string | null | undefined;
      others?: true | null | undefined;
    };
    data: {
      /** How many sessions ended. */
      ended: number;
    };
  };
  '/account/second-factor/': {
    body: Record<string, never>;
    data: {
      /** null: you have none. */
      since: number | null;
      /** Recovery codes that were not used. */
      recovery_codes_left: number;
      /** Whether your role needs one. */
      required: boolean;
    };
  };
  '/account/second-factor/begin/': {
    body: {
      password: string;
    };
    data: {
      /** Base32. */
      secret: string;
      /** `otpauth://totp/…` */
      uri: string;
      /** The QR code of the URI as the path of an SVG; one module is one unit. */
      qr: {
        /** The number of modules on each side of the QR code. */
        size: number;
        path: string;
      };
    };
  };
  '/account/second-factor/confirm/': {
    body: {
      /** Six digits, from the app. */
      code: string;
    };
    data: {
      /** Each replaces a code of the app once. Only this answer shows them. */
      recovery_codes: string[];
    };
  };
  '/account/second-factor/recovery-codes/': {
    body: {
      password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
    };
    data: {
      /** Each replaces a code of the app once. Only this answer shows them. */
      recovery_codes: string[];
    };
  };
  '/account/second-factor/end/': {
    body: {
      password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
    };
    data: {
      ended: true;
    };
  };
  '/account/usage/': {
    body: {
      /** The first day; absent: the 30 days up to `to`. */
      from?: string | null | undefined;
      /** The last day; absent: today. */
      to?: string | null | undefined;
    };
    data: {
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      days: UsageDay[];
      /** Rubles, at most six decimals. */
      total_spend: number;
    };
  };
  '/account/transactions/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only transactions with a smaller id. */
      before?: (string | number) | null | undefined;
      /** The first day; absent: from the first transaction. */
      from?: string | null | undefined;
      /** The last day; absent: up to the last transaction. */
      to?: string | null | undefined;
    };
    data: {
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      transactions: Transaction[];
      /** Rubles before the first of these days. */
      opening_balance: number;
      /** Rubles after the last of these days; less the opening balance, the sum of all transactions between. */
      closing_balance: number;
    };
  };
  '/account/usage/keys/': {
    body: {
      /** The first day; absent: the 30 days up to `to`. */
      from?: string | null | undefined;
      /** The last day; absent: today. */
      to?: string | null | undefined;
      /** Only this model; absent: all. */
      model_id?: number | null | undefined;
    };
    data: {
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      keys: {
        /** null: sends of sessions, and of every key before this server kept usage by key. */
        key_id: string | null;
        name: string | null;
        hint: string | null;
        requests: number;
        prompt_tokens: number;
        completion_tokens: number;
        /** Rubles, at most six decimals. */
        spend: number;
      }[];
      /** Rubles, at most six decimals. */
      total_spend: number;
    };
  };
  '/account/usage/rooms/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
    };
    data: {
      rooms: {
        room_id: string;
        title: string;
        is_deleted: boolean;
        /** Rubles, at most six decimals. */
        spend: number;
      }[];
      /** Rubles for all rooms, at most six decimals. */
      total_spend: number;
    };
  };
  '/account/redeem/': {
    body: {
      /** As printed, in upper or lower case, with or without hyphens and spaces. */
      code: string;
    };
    data: {
      /** Rubles that were credited. */
      amount: number;
      /** The balance after the credit. */
      balance: number;
      /** Unix seconds. */
      redeemed_at: number;
    };
  };
  '/account/export/': { body: Record<string, never>; data: Export };
  '/admin/users/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** How many items to leave out at the beginning. */
      offset?: number | null | undefined;
      /** Only users with a greater id. */
      after?: number | null | undefined;
      /** A part of the login, in upper or lower case. */
      search?: string | null | undefined;
      is_blocked?: boolean | null | undefined;
      is_admin?: boolean | null | undefined;
      role?: ('user' | 'operator' | 'admin') | null | undefined;
      /** Whether the balance is below zero. */
      is_negative?: boolean | null | undefined;
      /** `id` by default; equal ones by id. */
      order?: ('id' | 'login' | 'balance' | 'created' | 'last_use') | null | undefined;
      descending?: boolean | null | undefined;
    };
    data: {
      users: {
        id: number;
        login: string;
        /** Whether the role is `admin`. */
        is_admin: boolean;
        role: 'user' | 'operator' | 'admin';
        is_blocked: boolean;
        must_change_password: boolean;
        /** Rubles, at most six decimals. */
        balance: number;
        /** Rubles held for messages in progress. */
        held: number;
        /** Rubles that can be spent: balance and credit, together at most 8 000 000 000, less held. Never below 0. */
        available: number;
        /** How far below zero the balance may go, in rubles. */
        credit_limit: number;
        limits: UserLimits;
        /** Trust checks a day; null: the default. */
        trust_allowance: number | null;
        /** Unix seconds. */
        created_at: number;
        /** null: not erased. */
        erased_at: number | null;
        /** When a room was used last; null: never. */
        last_used_at: number | null;
      }[];
      /** How many users the filters select, on all pages. */
      total: number;
    };
  };
  '/admin/users/add/': {
    body: {
      /** 1 to 64 letters of any script, digits, ".", "_", "-" or "@". "erased-" with a number is reserved for erased users. */
      login: string;
      /** Absent or null: a password is generated. */
      password?: string | null | undefined;
      /** true: the role is `admin`; use `role` instead. */
      is_admin?: boolean | null | undefined;
      /** `user` by default. Only admins add admins. */
      role?: ('user' | 'operator' | 'admin') | null | undefined;
      /** true: until the user changes the password, it allows nothing else. */
      must_change_password?: boolean | null | undefined;
      /** An opening top-up, in rubles. */
      credit?: (number | string) | null | undefined;
      /** Trust checks a day; absent or null: the server's default. */
      trust_allowance?: number | null | undefined;
    };
    data: {
      user: User;
      /** Only this answer shows it; null if you gave one. */
      password: string | null;
    };
  };
  '/admin/users/show/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: User;
  };
  '/admin/users/credit/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** Rubles with at most six decimals, as a number or a decimal text. Not 0; negative for a correction. */
      amount: number | string;
      /** The reason. It stays in the books for ever. */
      reason: string;
    };
    data: {
      login: string;
      /** Rubles, at most six decimals. */
      amount: number;
      /** Rubles, at most six decimals. */
      balance: number;
    };
  };
  '/admin/users/refund/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** The `id` of a send. */
      message_id: number;
      /** Rubles above 0, as a number or a decimal text; absent: all that is left. */
      amount?: number | string | undefined;
      /** The reason. It stays in the books for ever. */
      reason: string;
    };
    data: {
      login: string;
      message_id: number;
      /** The refund made now, in rubles. */
      amount: number;
      /** The charge for the message, in rubles. */
      charge: number;
      /** All refunds of this message, in rubles. */
      refunded: number;
      /** Rubles, at most six decimals. */
      balance: number;
    };
  };
  '/admin/users/limit/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** Rubles with at most six decimals, as a number or a decimal text. */
      limit: number | string;
    };
    data: {
      login: string;
      /** Rubles, at most six decimals. */
      balance: number;
      /** Rubles held for messages in progress. */
      held: number;
      /** Rubles that can be spent: balance and credit, together at most 8 000 000 000, less held. Never below 0. */
      available: number;
      /** How far below zero the balance may go, in rubles. */
      credit_limit: number;
    };
  };
  '/admin/users/quota/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
    };
    data: {
      login: string;
      limits: UserLimits;
    };
  };
  '/admin/refunds/': {
    body: {
      /** The model that answered. */
      model_id: number;
      /** Unix seconds: messages that were sent from this moment on. */
      from: number;
      /** Unix seconds: messages that were sent before this moment. */
      to: number;
      /** Only the messages of this user. */
      login?: string | undefined;
      /** The share of each charge to refund, earlier refunds included: at most two decimals. Amounts are rounded up. */
      percent?: number | undefined;
      /** A version of the model, from `/admin/catalogue/versions/`: the part of each charge above its price is refunded; earlier refunds count towards it. Not with `percent`. */
      price_version?: number | undefined;
      /** The reason. It stays in the books for ever. */
      reason: string;
      /** Only say what would be refunded. */
      dry_run?: boolean | undefined;
    };
    data: {
      dry_run: boolean;
      model_id: number;
      /** Messages that get a refund. */
      messages: number;
      /** The number of users who sent them. */
      users: number;
      /** The sum of their charges, in rubles. */
      charge: number;
      /** The part of it that was refunded before, in rubles. */
      refunded: number;
      /** The refund made now, in rubles. */
      amount: number;
      /** Messages of the period, to any model, that had no answer yet: they may still be charged. */
      running: number;
      /** false: there are more, some are running, or `to` is not over. Repeat the call. */
      complete: boolean;
    };
  };
  '/admin/users/transactions/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only transactions with a smaller id. */
      before?: (string | number) | null | undefined;
    };
    data: {
      login: string;
      transactions: Transaction[];
    };
  };
  '/admin/users/usage/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** The first day; absent: the 30 days up to `to`. */
      from?: string | null | undefined;
      /** The last day; absent: today. */
      to?: string | null | undefined;
    };
    data: {
      login: string;
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      days: UsageDay[];
      /** Rubles, at most six decimals. */
      total_spend: number;
    };
  };
  '/admin/users/password/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** At least 8 characters, at most 1,024 bytes in UTF-8. */
      password: string;
      /** true: until the user changes the password, it allows nothing else. */
      must_change_password?: boolean | null | undefined;
    };
    data: {
      login: string;
      changed: true;
    };
  };
  '/admin/users/second-factor/reset/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: {
      login: string;
      reset: true;
    };
  };
  '/admin/users/block/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: {
      login: string;
      is_blocked: true;
    };
  };
  '/admin/users/unblock/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: {
      login: string;
      is_blocked: false;
    };
  };
  '/admin/users/role/': {
    body: {
      /** In upper or lower case. */
      login: string;
      role: 'user' | 'operator' | 'admin';
    };
    data: {
      login: string;
      role: 'user' | 'operator' | 'admin';
    };
  };
  '/admin/users/export/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: Export;
  };
  '/admin/attempts/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** The `id` of a send. */
      message_id: number;
    };
    data: {
      login: string;
      room_id: string;
      message_id: number;
      state: 'pending' | 'done' | 'failed' | 'stopped';
      error_code: string | null;
      /** What the user pays, in rubles. */
      charge: number;
      /** The part of the charge that was refunded, in rubles. */
      refunded: number;
      /** What you pay, in rubles: by the cost of the model in the catalogue, or as the provider reports it; null: not known. */
      operator_cost: number | null;
      /** The charge less your cost, in rubles, without refunds. */
      margin: number | null;
      attempts: Attempt[];
    };
  };
  '/admin/keys/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: {
      login: string;
      keys: ApiKey[];
    };
  };
  '/admin/keys/create/': {
    body: {
      /** In upper or lower case. */
      login: string;
      /** What the key is for: 1 to 100 characters, one of them visible. */
      name: string;
      /** Unix seconds, in the future; absent or null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** Absent or null: the role of an operator or admin, full for others; if you call with a key, the scope of that key. Only keys of admins can have admin, and only those of operators and admins operator or credit. */
      scope?: ('chat' | 'trust' | 'credit' | 'full' | 'operator' | 'admin') | null | undefined;
      /** Words by which you group keys. */
      tags?: string[] | null | undefined;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
      /** Above 0: charges of a calendar month, and holds. */
      rubles_per_month?: (number | string) | null | undefined;
      /** Above 0: all charges since the key was made, and holds. */
      rubles_total?: (number | string) | null | undefined;
    };
    data: NewApiKey;
  };
  '/admin/keys/limit/': {
    body: {
      /** The id of the key, not the key itself. */
      id: string;
      /** Unix seconds, in the future; null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** Words by which you group keys; null: none. */
      tags?: string[] | null | undefined;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
      /** Above 0: charges of a calendar month, and holds. */
      rubles_per_month?: (number | string) | null | undefined;
      /** Above 0: all charges since the key was made, and holds. */
      rubles_total?: (number | string) | null | undefined;
    };
    data: ApiKey;
  };
  '/admin/keys/rotate/': {
    body: {
      /** The id of the key, not the key itself. */
      id: string;
      /** Unix seconds: when the present secret expires; 0: at once; absent or null: in 24 hours. */
      old_until?: number | null | undefined;
    };
    data: RotatedApiKey;
  };
  '/admin/keys/revoke/': {
    body: {
      id: string;
    };
    data: {
      id: string;
      revoked: true;
    };
  };
  '/admin/vouchers/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only batches with a smaller id. */
      before?: number | null | undefined;
    };
    data: {
      batches: VoucherBatch[];
      /** Vouchers of all batches that can still be redeemed. */
      outstanding: number;
      /** Their sum. */
      outstanding_amount: number;
    };
  };
  '/admin/vouchers/create/': {
    body: {
      count: number;
      /** Rubles of each voucher, above 0. */
      amount: number | string;
      /** Unix seconds, in the future; absent or null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** For operators only. */
      note?: string | null | undefined;
    };
    data: {
      batch: VoucherBatch;
      /** Only this answer shows the codes. */
      vouchers: {
        /** From 1 within the batch. */
        number: number;
        /** 32 letters and digits in groups of four. */
        code: string;
      }[];
    };
  };
  '/admin/vouchers/show/': {
    body: {
      id?: number | null | undefined;
      code?: string | null | undefined;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only vouchers with a greater number. */
      after?: number | null | undefined;
    };
    data: {
      batch: VoucherBatch;
      vouchers: {
        number: number;
        state: 'outstanding' | 'redeemed' | 'revoked' | 'expired';
        /** Who redeemed it. */
        login: string | null;
        redeemed_at: number | null;
      }[];
    };
  };
  '/admin/vouchers/revoke/': {
    body: {
      /** The id of a batch. */
      id: number;
      /** Only this voucher; absent: the whole batch. */
      number?: number | null | undefined;
    };
    data: {
      batch: VoucherBatch;
      /** How many were revoked now. */
      revoked: number;
    };
  };
  '/admin/invitations/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only invitations with a smaller id. */
      before?: number | null | undefined;
    };
    data: {
      invitations: Invitation[];
      /** Who may register (`ZASTAVA_REGISTRATION`); off: nobody, whatever the invitation. */
      registration: 'off' | 'invitation' | 'open';
    };
  };
  '/admin/invitations/create/': {
    body: {
      /** How many users may register with it; absent: 1. */
      uses?: number | null | undefined;
      /** Rubles that each begins with; absent: none. */
      credit?: (number | string) | null | undefined;
      /** Sends that begin within a minute. */
      requests_per_minute?: number | null | undefined;
      /** Input and output together. */
      tokens_per_minute?: number | null | undefined;
      /** Above 0: charges and holds of a day. */
      rubles_per_day?: (number | string) | null | undefined;
      /** Ids of the models that may be used; no others. */
      models?: number[] | null | undefined;
      /** Unix seconds, in the future; absent or null: valid until revoked. */
      expires_at?: number | null | undefined;
      /** For operators only. */
      note?: string | null | undefined;
    };
    data: {
      invitation: Invitation;
      /** Only this answer shows it. */
      code: string;
      /** The page where somebody registers with it. */
      link: string;
    };
  };
  '/admin/invitations/show/': {
    body: {
      id: number;
      /** The most items in the answer. */
      limit?: number | null | undefined;
    };
    data: {
      invitation: Invitation;
      users: {
        login: string;
        /** Unix seconds. */
        used_at: number;
      }[];
    };
  };
  '/admin/invitations/revoke/': {
    body: {
      id: number;
    };
    data: {
      invitation: Invitation;
    };
  };
  '/admin/catalogue/': {
    body: Record<string, never>;
    data: {
      /** Grows with every change. */
      revision: number;
      providers: {
        code: string;
        origin: 'builtin' | 'preset' | 'file';
        kind: string;
        base_url: string | null;
        api_key: string | null;
        /** Several keys instead of one, each with `*` and its weight. */
        api_keys: string | null;
        max_concurrent: number | null;
        max_requests_per_minute: number | null;
        timeout_seconds: number;
        options: Record<string, string>;
        /** Each as its reference, or `(set)`. */
        headers: Record<string, string> | null;
        extra_body: Record<string, unknown> | null;
      }[];
      models: {
        /** The parameter `ai` of a send. */
        id: number;
        /** Provider code. */
        code: string;
        /** The model's name at the provider. */
        model: string;
        description: string;
        description_full: string;
        model_alias: string | null;
        type: 'TEXT' | 'IMAGE';
        /** What the model is for. */
        modality: 'text' | 'image' | 'completion' | 'embedding' | 'speech' | 'transcription';
        max_input_tokens: number;
        max_output_tokens: number;
        min_temperature: number;
        max_temperature: number;
        /** 1: earlier messages can be sent along; 0: they can not. */
        is_chat_mode_allowed: 0 | 1;
        /** 1: messages can have images; 0: they can not; absent: not known. */
        is_image_input_allowed?: 0 | 1;
        /** Rubles for 1,000,000 prompt tokens. */
        cost_input_tokens_rub: number;
        /** Rubles for 1,000,000 completion tokens. */
        cost_output_tokens_rub: number;
        /** Rubles for a request. */
        cost_input_fix_rub: number;
        /** Rubles for an answer, or an image of an IMAGE model. */
        cost_output_fix_rub: number;
        /** A request with more prompt tokens than this is charged at the `cost_long_…` prices as a whole; absent: the model has no such prices. */
        long_context_above_tokens?: number;
        /** Rubles for 1,000,000 prompt tokens read from the provider's cache; absent: as other prompt tokens. */
        cost_cached_input_tokens_rub?: number;
        /** Rubles for 1,000,000 prompt tokens written to the provider's cache; absent: as other prompt tokens. */
        cost_cache_write_tokens_rub?: number;
        /** Rubles for 1,000,000 completion tokens spent on reasoning; absent: as other completion tokens. */
        cost_reasoning_tokens_rub?: number;
        /** Rubles for 1,000,000 characters that are spoken; absent: they cost nothing. */
        cost_characters_rub?: number;
        /** Rubles for 1,000,000 seconds of audio that are transcribed; absent: they cost nothing. */
        cost_audio_seconds_rub?: number;
        /** Rubles for 1,000,000 prompt tokens of a long request. */
        cost_long_input_tokens_rub?: number;
        /** Rubles for 1,000,000 completion tokens of a long request. */
        cost_long_output_tokens_rub?: number;
        /** In a long request, rubles for 1,000,000 prompt tokens read from the provider's cache; absent: as other prompt tokens. */
        cost_long_cached_input_tokens_rub?: number;
        /** In a long request, rubles for 1,000,000 prompt tokens written to the provider's cache; absent: as other prompt tokens. */
        cost_long_cache_write_tokens_rub?: number;
        /** In a long request, rubles for 1,000,000 completion tokens spent on reasoning; absent: as other completion tokens. */
        cost_long_reasoning_tokens_rub?: number;
        /** Hours in UTC at which all prices are another percentage of those above, the first that fits; decided when the request arrives. Absent: never. */
        cost_hours?: {
          utc: string;
          days?: ('sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat')[];
          percent: number;
        }[];
        /** How many tokens the token prices are for. */
        cost_tokens_unit: 1000000;
        currency: 'RUB';
        /** False: no price is set yet; usable by admins only. */
        priced: boolean;
        origin: 'builtin' | 'preset' | 'file';
        fallbacks: number[];
        /** Your cost, as in the catalogue file, with its exchange rate; null: not known. */
        cost: Record<string, string | number> | null;
      }[];
    };
  };
  '/admin/catalogue/apply/': {
    body: {
      /** The text of the file. */
      yaml: string;
      /** true: only report what would change. */
      dry_run?: boolean | null | undefined;
      /** Nothing is written unless the catalogue is in this revision, which a dry run returned. */
      revision?: number | null | undefined;
    };
    data: {
      dry_run: boolean;
      /** Grows with every change. */
      revision: number;
      changes: {
        kind: 'added' | 'changed' | 'retired' | 'returned';
        subject: string;
        fields: {
          field: string;
          from: string | number | boolean | null;
          to: string | number | boolean | null;
        }[];
        /** The change in one line, in English. */
        text: string;
      }[];
      warnings: string[];
    };
  };
  '/admin/catalogue/import/': {
    body: {
      /** The price list: `api.json` of models.dev, or `model_prices_and_context_window.json` of LiteLLM. Only the part about your providers is needed. */
      list: Record<string, unknown>;
      /** Rubles for a US dollar: above 0, at most 100000. */
      usd_rate: string | number;
      /** Percent on top of the list; 0 by default. */
      markup?: (string | number) | null | undefined;
      /** Only these providers of the catalogue; absent: all. */
      providers?: string[] | null | undefined;
      /** From provider codes to the names of these providers in the list. */
      map?: Record<string, string> | null | undefined;
      /** Names of models to add if the catalogue lacks them; `*` stands for any text. */
      add?: string[] | null | undefined;
      /** Accept prices of zero. */
      allow_free?: boolean | null | undefined;
      /** What to do with a model that costs more for long inputs. `both`, the default: each price applies to its lengths. */
      long_context?: ('both' | 'refuse' | 'highest') | null | undefined;
      /** true: apply; else only show what would change. */
      apply?: boolean | null | undefined;
      /** Nothing is written unless the catalogue is in this revision, which a dry run returned. */
      revision?: number | null | undefined;
    };
    data: {
      format: 'models.dev' | 'LiteLLM';
      applied: boolean;
      /** Grows with every change. */
      revision: number;
      /** Rows of the list about models of the catalogue. */
      rows: {
        outcome: 'added' | 'changed' | 'unchanged' | 'refused' | 'skipped';
        list_provider: string;
        list_model: string;
        provider: string | null;
        model_id: number | null;
        fields: {
          field: string;
          from: string | number | boolean | null;
          to: string | number | boolean | null;
        }[];
        /** Prices in dollars, as in the list. */
        usd: Record<string, string> | null;
        reason: string | null;
        note: string | null;
        /** The row in one line, in English. */
        text: string;
      }[];
      /** How many rows are about models that the catalogue does not have. */
      skipped: number;
      /** Models of the catalogue without a row in the list. */
      not_listed: {
        model_id: number | null;
        provider: string;
        model: string;
        reason: string;
      }[];
    };
  };
  '/admin/catalogue/price/': {
    body: {
      /** The id of a model. */
      id: number;
      /** The whole price, as in a catalogue file; null: none, so for admins only. */
      price: {
        cost_input_tokens_rub?: number | string | undefined;
        cost_output_tokens_rub?: number | string | undefined;
        cost_input_fix_rub?: number | string | undefined;
        cost_output_fix_rub?: number | string | undefined;
        cost_cached_input_tokens_rub?: number | string | undefined;
        cost_cache_write_tokens_rub?: number | string | undefined;
        cost_reasoning_tokens_rub?: number | string | undefined;
        cost_characters_rub?: number | string | undefined;
        cost_audio_seconds_rub?: number | string | undefined;
        cost_long_input_tokens_rub?: number | string | undefined;
        cost_long_output_tokens_rub?: number | string | undefined;
        cost_long_cached_input_tokens_rub?: number | string | undefined;
        cost_long_cache_write_tokens_rub?: number | string | undefined;
        cost_long_reasoning_tokens_rub?: number | string | undefined;
        long_context_above_tokens?: number | undefined;
        cost_tokens_per?: 1 | 1000 | 1000000 | undefined;
      } | null;
      /** true: only report what would change. */
      dry_run?: boolean | null | undefined;
      /** Nothing is written unless the catalogue is in this revision, which a dry run returned. */
      revision?: number | null | undefined;
    };
    data: {
      dry_run: boolean;
      /** Grows with every change. */
      revision: number;
      changes: {
        kind: 'added' | 'changed' | 'retired' | 'returned';
        subject: string;
        fields: {
          field: string;
          from: string | number | boolean | null;
          to: string | number | boolean | null;
        }[];
        /** The change in one line, in English. */
        text: string;
      }[];
    };
  };
  '/admin/catalogue/yaml/': {
    body: Record<string, never>;
    data: {
      /** Grows with every change. */
      revision: number;
      yaml: string;
      /** An example of a file, for a start. */
      example: string;
    };
  };
  '/admin/catalogue/versions/': {
    body: {
      /** The id of a model. */
      id: number;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only versions with a smaller `version`. */
      before?: number | null | undefined;
    };
    data: {
      /** `builtin`: Zastava’s own, whose price can’t be set; null: no model has this id. */
      origin: ('builtin' | 'preset' | 'file') | null;
      versions: {
        version: number;
        /** Unix seconds. */
        valid_from: number;
        model: Model;
        /** The changes that it made; empty for the first. */
        fields: {
          field: string;
          from: string | number | boolean | null;
          to: string | number | boolean | null;
        }[];
      }[];
    };
  };
  '/admin/status/': {
    body: Record<string, never>;
    data: {
      version: string;
      database: 'sqlite' | 'postgres';
      /** When the node that answers was started. */
      started_at: number | null;
      nodes: {
        id: number;
        name: string;
        /** true: it gave this answer. */
        is_this: boolean;
        open_holds: number;
      }[];
      providers: {
        code: string;
        kind: string;
        origin: 'builtin' | 'preset' | 'file';
        models: number;
        /** `open`: it did not answer, so calls are refused for some seconds. */
        breaker: ('closed' | 'open' | 'probing') | null;
        /** Why it can’t be used. */
        problem: string | null;
        /** Within the last hour. */
        calls: number | null;
        /** Within the last hour. */
        failures: number | null;
        /** null: no call has failed since the start. */
        last_failure: {
          /** As in `/admin/attempts/`. */
          outcome: string;
          /** Unix seconds. */
          at: number;
        } | null;
      }[];
      open_holds: {
        count: number;
        /** Rubles, at most six decimals. */
        amount: number;
        oldest: {
          login: string;
          message_id: number;
          model_id: number;
          model: string;
          node: number;
          /** Rubles, at most six decimals. */
          hold: number;
          /** Unix seconds. */
          created_at: number;
        }[];
      };
      today: {
        /** YYYY-MM-DD. */
        day: string;
        /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
        day_zone: string;
        requests: number;
        /** Rubles, at most six decimals. */
        spend: number;
        /** The largest spend of this day. */
        top_users: {
          login: string;
          requests: number;
          /** Rubles, at most six decimals. */
          spend: number;
        }[];
      };
    };
  };
  '/admin/usage/': {
    body: {
      /** The first day; absent: the 30 days up to `to`. */
      from?: string | null | undefined;
      /** The last day; absent: today. */
      to?: string | null | undefined;
      /** What the sums are split by; absent: all four. */
      by?: ('day' | 'model' | 'provider' | 'user')[] | null | undefined;
      /** Only this user. */
      login?: string | null | undefined;
      /** Only this model. */
      model_id?: number | null | undefined;
      /** Only models that are at this provider now. */
      provider?: string | null | undefined;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** How many items to leave out at the beginning. */
      offset?: number | null | undefined;
    };
    data: {
      /** YYYY-MM-DD. */
      from: string;
      /** YYYY-MM-DD. */
      to: string;
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      /** What the sums are not split by is null. */
      rows: {
        /** YYYY-MM-DD. */
        day: string | null;
        model_id: number | null;
        /** The model's name at the provider. */
        model: string | null;
        /** Where the model is now. */
        provider: string | null;
        login: string | null;
        requests: number;
        prompt_tokens: number;
        completion_tokens: number;
        /** Rubles, at most six decimals. */
        spend: number;
      }[];
      /** How many sums there are, on all pages. */
      count: number;
      /** The sums over all pages. */
      total: {
        requests: number;
        prompt_tokens: number;
        completion_tokens: number;
        /** Rubles, at most six decimals. */
        spend: number;
      };
    };
  };
  '/admin/report/': {
    body: {
      /** The first day; absent: the 30 days up to `to`. */
      from?: string | null | undefined;
      /** The last day; absent: today. */
      to?: string | null | undefined;
      /** What the sums are split by; absent or empty: one row of all. */
      by?: ('day' | 'model' | 'provider' | 'user' | 'key')[] | null | undefined;
      /** Only this user. */
      login?: string | null | undefined;
      /** Only this model; the report has no accounts then. */
      model_id?: number | null | undefined;
      /** Only models that are at this provider now; the report has no accounts then. */
      provider?: string | null | undefined;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** How many items to leave out at the beginning. */
      offset?: number | null | undefined;
    };
    data: {
      /** YYYY-MM-DD. */
      from: string;
      /** YYYY-MM-DD. */
      to: string;
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      /** What the sums are not split by is null. */
      rows: ReportRow[];
      /** How many rows there are, on all pages. */
      count: number;
      /** The sums over all pages. */
      total: ReportSums;
      /** Of all accounts, or of the user. */
      accounts: AccountSums | null;
    };
  };
  '/admin/audit/': {
    body: {
      /** Only acts about this user, by login. */
      user?: string | null | undefined;
      /** Only acts by this admin, by login. */
      by?: string | null | undefined;
      origin?: ('http' | 'command' | 'server') | null | undefined;
      action?:
        | (
            | 'user_added'
            | 'user_credited'
            | 'user_refunded'
            | 'messages_refunded'
            | 'user_credit_limit_set'
            | 'user_limits_set'
            | 'user_role_set'
            | 'user_password_set'
            | 'user_second_factor_reset'
            | 'user_blocked'
            | 'user_unblocked'
            | 'user_exported'
            | 'user_erased'
            | 'key_created'
            | 'key_changed'
            | 'key_rotated'
            | 'key_revoked'
            | 'invitation_created'
            | 'invitation_revoked'
            | 'vouchers_created'
            | 'vouchers_revoked'
            | 'catalogue_applied'
            | 'catalogue_imported'
            | 'price_set'
            | 'seeds_added'
            | 'seeds_removed'
            | 'trust_job_started'
            | 'trust_job_stopped'
            | 'graph_imported'
            | 'graph_ranked'
            | 'sites_crawled'
            | 'releases_chosen'
            | 'release_removed'
            | 'secret_changed'
          )
        | null
        | undefined;
      /** The first day. */
      from?: string | null | undefined;
      /** The last day. */
      to?: string | null | undefined;
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only entries with a smaller `id`: the last one of a page. */
      before?: (string | number) | null | undefined;
    };
    data: {
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      entries: AuditEntry[];
    };
  };
  '/admin/ledger/verify/': {
    body: Record<string, never>;
    data: {
      /** true: every check holds. */
      holds: boolean;
      checks: {
        name: string;
        holds: boolean;
        /** How many rows were checked. */
        checked: number;
        /** The first rows that violate it. */
        broken: Record<string, unknown>[];
      }[];
    };
  };
  '/admin/reconcile/': {
    body: {
      /** The export, with a header line. */
      csv: string;
      /** FIELD=COLUMN,… for unclear headers; FIELD=- ignores a column. */
      columns?: string | null | undefined;
      /** Absent: as named in the rows. */
      providers?: string[] | null | undefined;
      /** From the names of models in the export to their names in the catalogue. */
      models?: Record<string, string> | null | undefined;
      /** The first day; absent: the first day of the export. */
      from?: string | null | undefined;
      /** The last day; absent: the last day of the export. */
      to?: string | null | undefined;
      /** The most items in the answer. */
      limit?: number | null | undefined;
    };
    data: {
      by: 'id' | 'day';
      from: string | null;
      to: string | null;
      /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
      day_zone: string;
      providers: string[];
      file: {
        rows: number;
        unreadable: number;
        requests: number;
        /** null: not reported. */
        prompt_tokens: number | null;
        /** null: not reported. */
        completion_tokens: number | null;
        /** Exact, in its own currency. */
        cost: string | null;
        /** Lines whose cost can’t be read. */
        cost_unread: number;
      };
      ours: {
        requests: number;
        /** null: not reported. */
        prompt_tokens: number | null;
        /** null: not reported. */
        completion_tokens: number | null;
        /** Rubles, at most six decimals. */
        charged: number;
        /** Answers whose provider gave no id. */
        without_id: number;
      };
      matched: number;
      differing: number;
      only_in_file: number;
      /** null: an export without dates needs `from` and `to`. */
      only_with_us: number | null;
      /** Answers whose usage costs more than was held. */
      undercharged: number;
      /** The part of their full price that was not charged. */
      undercharged_rub: number;
      unreadable_rows: {
        line: number;
        problem: string;
      }[];
      differing_rows: Finding[];
      only_in_file_rows: Finding[];
      only_with_us_rows: Finding[];
      undercharged_rows: Finding[];
    };
  };
  '/admin/trust/seeds/': {
    body: {
      /** The most items in the answer. */
      limit?: number | null | undefined;
      /** Only domains after this one. */
      after?: string | null | undefined;
    };
    data: {
      seeds: {
        domain: string;
        kind: 'trusted' | 'spam';
        /** The source that named it last; null: no source was stated. */
        source: string | null;
        /** The date of the list, YYYY-MM-DD; null: added by an earlier version. */
        date: string | null;
      }[];
      /** All domains, counted by list, source and date. */
      sources: {
        kind: 'trusted' | 'spam';
        /** The source that named it last; null: no source was stated. */
        source: string | null;
        /** The date of the list, YYYY-MM-DD; null: added by an earlier version. */
        date: string | null;
        domains: number;
      }[];
    };
  };
  '/admin/trust/seeds/add/': {
    body: {
      kind: 'trusted' | 'spam';
      /** Domains or addresses, or the lines of a list in another format. */
      domains: string[];
      /** `lines`: one domain or address in each line, whose registrable domain is added. `hosts`, `adblock`, `csv` and `tranco` take whole sites only. Absent: recognised. */
      format?: ('lines' | 'hosts' | 'adblock' | 'csv' | 'tranco') | null | undefined;
      /** The source of the list. */
      source?: string | null | undefined;
      /** The date of the list; absent: today. */
      date?: string | null | undefined;
    };
    data: {
      /** How many of these domains are in the list now. */
      added: number;
      /** How many of them were in the other list before. */
      moved: number;
      format: 'lines' | 'hosts' | 'adblock' | 'csv' | 'tranco';
      /** The first thousand. */
      bad: {
        /** The place in `domains`, from 1. */
        line: number;
        text: string;
        message: string;
      }[];
      /** The number of entries that name no site. */
      bad_count: number;
    };
  };
  '/admin/trust/seeds/remove/': {
    body: {
      /** Domains or addresses, of either list. */
      domains?: string[] | null | undefined;
      /** Instead of domains: removes all domains that this source named last. */
      source?: string | null | undefined;
    };
    data: {
      /** How many domains were on a list. */
      removed: number;
      /** The first thousand. */
      bad: {
        /** The place in `domains`, from 1. */
        line: number;
        text: string;
        message: string;
      }[];
      /** The number of entries that name no site. */
      bad_count: number;
    };
  };
  '/admin/trust/import/': {
    body: {
      /** Address of a text file, may be gzipped, with lines of id TAB reversed.domain. */
      vertices: string;
      /** Address of a text file, may be gzipped, with lines of from TAB to. */
      edges: string;
      /** Absent: named after the file. */
      release?: string | null | undefined;
      /** The public suffixes that its names were made with: `icann`, or `private` for both sections. Absent: recognised. */
      suffixes?: ('icann' | 'private') | null | undefined;
      /** true: folds the hosts of a host graph to their domains; else it is refused. */
      fold_hosts?: boolean | null | undefined;
      /** MiB of memory; absent: the default of the command. */
      memory_mib?: number | null | undefined;
    };
    data: {
      job: TrustJob;
    };
  };
  '/admin/trust/crawl/': {
    body: {
      /** Domains or addresses to start with; absent: the queue. */
      domains?: string[] | null | undefined;
      /** Pages to read; absent: the default of the command. */
      pages?: number | null | undefined;
    };
    data: {
      job: TrustJob;
      /** The first thousand. */
      bad: {
        /** The place in `domains`, from 1. */
        line: number;
        text: string;
        message: string;
      }[];
      /** The number of entries that name no site. */
      bad_count: number;
    };
  };
  '/admin/trust/rank/': {
    body: {
      /** Absent: the newest import with crawled links. */
      release?: string | null | undefined;
      /** MiB of memory; absent: the default of the command. */
      memory_mib?: number | null | undefined;
      /** true: `diff` of the result lists the domains that changed colour, and the terms that moved. */
      diff?: boolean | null | undefined;
    };
    data: {
      job: TrustJob;
    };
  };
  '/admin/trust/jobs/': {
    body: Record<string, never>;
    data: {
      jobs: TrustJob[];
    };
  };
  '/admin/trust/jobs/stop/': {
    body: {
      /** From the list of jobs. */
      id: string;
    };
    data: {
      job: TrustJob;
    };
  };
  '/admin/trust/releases/': {
    body: Record<string, never>;
    data: {
      releases: {
        name: string;
        domains: number;
        links: number;
        /** The public suffixes that its names were made with. */
        suffixes: 'icann' | 'private';
        created: string;
        /** true: it has scores. */
        ranked: boolean;
        /** true: checks use its scores. */
        current: boolean;
        /** true: it is the base, which describes the whole web beside the current one. */
        base: boolean;
      }[];
      /** Why the release in use can’t be opened. */
      fault: string | null;
    };
  };
  '/admin/trust/releases/use/': {
    body: {
      /** The release whose scores are used; absent: the same as before. */
      release?: string | null | undefined;
      /** The release of the whole web beside it. null: none; absent: as before. */
      base?: string | null | undefined;
      /** The earlier release to compare the base with; absent: the last base. */
      since?: string | null | undefined;
    };
    data: {
      job: TrustJob;
    };
  };
  '/admin/trust/releases/remove/': {
    body: {
      release: string;
    };
    data: {
      removed: true;
    };
  };
  '/admin/users/erase/': {
    body: {
      /** In upper or lower case. */
      login: string;
    };
    data: {
      id: number;
      /** The name under which the books stay. */
      login: string;
      erased: true;
    };
  };
  '/auth/session/': {
    body: {
      login: string;
      password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
    };
    data: PageSession;
  };
  '/auth/session/show/': {
    body: Record<string, never>;
    data: {
      /** null: nobody. */
      session: PageSession | null;
    };
  };
  '/auth/session/confirm/': {
    body: {
      password: string;
      /** The code of your second factor, if you have one: six digits from the app, or a recovery code. */
      code?: string | null | undefined;
    };
    data: {
      confirmed: true;
    };
  };
  '/auth/session/end/': {
    body: Record<string, never>;
    data: {
      revoked: true;
    };
  };
  '/auth/refresh/': { body: Record<string, never>; data: Token };
  '/auth/logout/': {
    body: Record<string, never>;
    data: {
      revoked: true;
    };
  };
}

/** null: no limit. */
export type KeyLimits = {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** Rubles within a day of `day_zone`. */
  rubles_per_day: number | null;
  /** Ids of models; null: all models. */
  models: number[] | null;
  /** Rubles within a calendar month. */
  rubles_per_month: number | null;
  /** Rubles in all. */
  rubles_total: number | null;
};
/** null: no limit. */
export type UserLimits = {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** Rubles within a day of `day_zone`. */
  rubles_per_day: number | null;
  /** Ids of models; null: all models. */
  models: number[] | null;
};
export type Account = {
  login: string;
  /** Whether the role is `admin`. */
  is_admin: boolean;
  role: 'user' | 'operator' | 'admin';
  /** Rubles, at most six decimals. */
  balance: number;
  /** Rubles held for messages in progress. */
  held: number;
  /** Rubles that can be spent: balance and credit, together at most 8 000 000 000, less held. Never below 0. */
  available: number;
  /** How far below zero the balance may go, in rubles. */
  credit_limit: number;
  limits: UserLimits;
  /** Trust checks that you may make in a day. */
  trust_allowance: number;
  /** Trust checks left today. */
  trust_remaining: number;
  /** The time zone of days, e.g. `UTC` or `Europe/Moscow`. */
  day_zone: string;
  /** Unix seconds. */
  created_at: number;
};
export type AccountSums = {
  /** The balance before the first day. */
  opening_balance: number;
  /** Top-ups. */
  payments: number;
  /** Rubles, at most six decimals. */
  refunds: number;
  /** Below zero: money was taken back. */
  corrections: number;
  /** Rubles, at most six decimals. */
  charges: number;
  /** After the last day: opening balance + payments + refunds + corrections − charges. */
  closing_balance: number;
  /** The current amount, whichever days the report covers. */
  held: number;
};
export type ApiKey = {
  id: string;
  name: string;
  /** The last characters of the key. */
  hint: string;
  /** Unix seconds. */
  created_at: number;
  /** null: valid until revoked. */
  expires_at: number | null;
  /** null: not revoked. */
  revoked_at: number | null;
  /** chat: only rooms, sends, histories and models; trust: only trust checks, balance and usage; credit: only top-ups with an Idempotency-Key; full: all of your own; operator: operations of operators too; admin: those of admins too. */
  scope: 'chat' | 'trust' | 'credit' | 'full' | 'operator' | 'admin';
  tags: string[];
  limits: KeyLimits;
  /** What the key has used; null: it has no limits, see /account/usage/keys/. */
  used: {
    /** Rubles, at most six decimals. */
    rubles_today: number;
    /** Rubles, at most six decimals. */
    rubles_this_month: number;
    /** Rubles, at most six decimals. */
    rubles_total: number;
    /** Rubles held for messages in progress. */
    held: number;
  } | null;
  /** The last characters of the previous secret. */
  old_hint: string | null;
  /** When the previous secret expires or has expired. */
  old_until: number | null;
};
export type Attempt = {
  /** Provider code. */
  provider: string;
  /** The model's name at the provider. */
  model: string;
  /** Unix seconds. */
  started_at: number;
  /** Milliseconds for which the gateway waited before it called: for the database, a turn at the provider's limits, or after a failure; null: not recorded, as for the only attempt of a send that waited less than a second. */
  waited_ms: number | null;
  /** Milliseconds from the call to the end of its answer. */
  duration_ms: number;
  /** ok; stopped: by the client; unreachable, busy, timeout, content_refused, unsupported, not_found, failed: as the provider ended it; breaker_open, limited, keys_resting, not_set_up: nothing was sent. */
  outcome: string;
  /** The HTTP status of the provider's error. */
  status: number | null;
  /** The last characters of the key, or its place in the list. */
  key_hint: string | null;
  /** As the provider reported it; null: not reported. */
  cost: number | null;
  /** null: the currency that the provider bills in. */
  cost_currency: string | null;
  /** What you pay for it, in rubles; null: not known. */
  operator_cost: number | null;
};
export type AuditEntry = {
  /** Grows with each act. */
  id: number;
  /** Unix seconds. */
  at: number;
  action:
    | 'user_added'
    | 'user_credited'
    | 'user_refunded'
    | 'messages_refunded'
    | 'user_credit_limit_set'
    | 'user_limits_set'
    | 'user_role_set'
    | 'user_password_set'
    | 'user_second_factor_reset'
    | 'user_blocked'
    | 'user_unblocked'
    | 'user_exported'
    | 'user_erased'
    | 'key_created'
    | 'key_changed'
    | 'key_rotated'
    | 'key_revoked'
    | 'invitation_created'
    | 'invitation_revoked'
    | 'vouchers_created'
    | 'vouchers_revoked'
    | 'catalogue_applied'
    | 'catalogue_imported'
    | 'price_set'
    | 'seeds_added'
    | 'seeds_removed'
    | 'trust_job_started'
    | 'trust_job_stopped'
    | 'graph_imported'
    | 'graph_ranked'
    | 'sites_crawled'
    | 'releases_chosen'
    | 'release_removed'
    | 'secret_changed';
  /** `http`: an operation; `command`: the command line; `server`: a start, by settings. */
  origin: 'http' | 'command' | 'server';
  /** Login of the admin; null unless `origin` is `http`. */
  by: string | null;
  /** The id of the API key that was used; null: none. */
  by_key: string | null;
  /** The client's address; null unless `origin` is `http`. */
  address: string | null;
  /** The system user who ran the command; null unless `origin` is `command`. */
  system_user: string | null;
  /** The user whom it is about; null: no user. */
  login: string | null;
  /** Another thing that the act is about, e.g. the id of a key. */
  subject: string | null;
  /** The changed values before the act. Amounts are in rubles, times in Unix seconds. */
  before: Record<string, string | number | boolean | null> | null;
  /** The same fields after it. */
  after: Record<string, string | number | boolean | null> | null;
  /** Changes of the catalogue or of lists, one line for each. */
  changes: string[];
  /** How many more lines there were. */
  changes_omitted: number;
  /** The `X-Request-Id` of its answer. */
  request_id: string | null;
};
export type Export = {
  /** Unix seconds. */
  exported_at: number;
  profile: {
    login: string;
    is_admin: boolean;
    role: 'user' | 'operator' | 'admin';
    is_blocked: boolean;
    /** Trust checks a day; null: the default. */
    trust_allowance: number | null;
    /** Unix seconds. */
    created_at: number;
  };
  account: {
    /** Rubles, at most six decimals. */
    balance: number;
    /** Rubles held for messages in progress. */
    held: number;
    /** Rubles that can be spent: balance and credit, together at most 8 000 000 000, less held. Never below 0. */
    available: number;
    /** How far below zero the balance may go, in rubles. */
    credit_limit: number;
  };
  limits: UserLimits;
  keys: ApiKey[];
  rooms: {
    room_id: string;
    /** Your own, or else the first words of its first answered message, or empty. */
    title: string;
    message_count: number;
    /** Rubles, at most six decimals. */
    spend: number;
    /** Unix seconds. */
    created_at: number;
    /** Unix seconds. */
    last_used_at: number;
    /** Oldest first, failed messages too. */
    messages: ExportedMessage[];
  }[];
  /** Newest first. */
  transactions: Transaction[];
  /** Newest day first. */
  usage: UsageDay[];
};
export type ExportedMessage = {
  message_id: number;
  state: 'pending' | 'done' | 'failed' | 'stopped';
  model_id: number;
  model: string;
  system_prompt: string;
  request: string;
  response: string;
  request_images: string[];
  image_url: string | null;
  provider_message_id: string | null;
  /** Number of prompt tokens; null: not reported. */
  prompt_tokens: number | null;
  /** Number of completion tokens; null: not reported. */
  completion_tokens: number | null;
  /** Number of tokens in total; null: not reported. */
  total_tokens: number | null;
  /** Number of prompt tokens read from the provider's cache; null: not reported. */
  cached_tokens: number | null;
  /** Number of prompt tokens written to the provider's cache; null: not reported. */
  cache_write_tokens: number | null;
  /** Number of completion tokens spent on reasoning; null: not reported. */
  reasoning_tokens: number | null;
  /** Number of characters that are spoken; null: not reported. */
  characters: number | null;
  /** Number of seconds of audio that are transcribed; null: not reported. */
  audio_seconds: number | null;
  usage_source: string | null;
  /** The message whose place it took (`context_before`). Several tries all name the first message. */
  replaces: number | null;
  finish_reason: string | null;
  error_code: string | null;
  /** Rubles, at most six decimals. */
  cost_request: number;
  /** Rubles, at most six decimals. */
  cost_response: number;
  /** Unix seconds. */
  created_at: number;
  response_at: number | null;
  /** Mostly empty if the first call succeeded. */
  attempts: {
    /** Provider code. */
    provider: string;
    /** The model's name at the provider. */
    model: string;
    /** Unix seconds. */
    started_at: number;
    /** Milliseconds for which the gateway waited before it called: for the database, a turn at the provider's limits, or after a failure; null: not recorded, as for the only attempt of a send that waited less than a second. */
    waited_ms: number | null;
    /** Milliseconds from the call to the end of its answer. */
    duration_ms: number;
    /** ok; stopped: by the client; unreachable, busy, timeout, content_refused, unsupported, not_found, failed: as the provider ended it; breaker_open, limited, keys_resting, not_set_up: nothing was sent. */
    outcome: string;
    /** The HTTP status of the provider's error. */
    status: number | null;
  }[];
};
export type Finding = {
  /** YYYY-MM-DD. */
  day: string | null;
  provider: string | null;
  model: string | null;
  provider_message_id: string | null;
  /** Line of the export; the first, if there are several. */
  line: number | null;
  user_id: number | null;
  message_id: number | null;
  file: {
    requests: number;
    /** null: not reported. */
    prompt_tokens: number | null;
    /** null: not reported. */
    completion_tokens: number | null;
    /** null: not reported. */
    cached_tokens?: number | null;
    /** null: not reported. */
    reasoning_tokens?: number | null;
  } | null;
  ours: {
    requests: number;
    /** null: not reported. */
    prompt_tokens: number | null;
    /** null: not reported. */
    completion_tokens: number | null;
    /** null: not reported. */
    cached_tokens?: number | null;
    /** null: not reported. */
    reasoning_tokens?: number | null;
    /** Rubles, at most six decimals. */
    charged: number;
    estimated: boolean;
  } | null;
  /** The part of the price of an undercharged answer above its hold. */
  lost?: number;
};
export type FoundMessage = {
  room_id: string;
  /** The title of the room. */
  title: string;
  message_id: number;
  /** Unix seconds. */
  created_at: number;
  /** Plain text in pieces, to be joined; those that match are marked. */
  pieces: TextPiece[];
};
export type FoundRoom = {
  room_id: string;
  /** Your own, or else the first words of its first answered message, or empty. */
  title: string;
  message_count: number;
  /** Rubles, at most six decimals. */
  spend: number;
  /** Unix seconds. */
  created_at: number;
  /** Unix seconds. */
  last_used_at: number;
  /** Plain text in pieces, to be joined; those that match are marked. */
  pieces: TextPiece[];
};
export type HistoryItem = {
  /** The `id` of the send, digits as text. */
  message_id: string;
  /** The provider's id of the answer. */
  message_id_reply: string;
  system_prompt: string;
  request: string;
  /** The URLs of the images that were sent with the request. */
  images: string[];
  response: string;
  ai: Model;
  /** Unix seconds, digits as text; empty without an answer. */
  response_at: string;
  /** Unix seconds, digits as text. */
  created_at: string;
  /** Number of prompt tokens, digits as text; empty when unknown. */
  usage_prompt_tokens: string;
  /** Number of completion tokens, digits as text; empty when unknown. */
  usage_completion_tokens: string;
  /** Number of tokens in total, digits as text; empty when unknown. */
  usage_total_tokens: string;
  /** Number of prompt tokens read from the provider's cache, digits as text; empty when unknown. */
  usage_cached_tokens: string;
  /** Number of prompt tokens written to the provider's cache, digits as text; empty when unknown. */
  usage_cache_write_tokens: string;
  /** Number of completion tokens spent on reasoning, digits as text; empty when unknown. */
  usage_reasoning_tokens: string;
  /** Number of characters that are spoken, digits as text; empty when unknown. */
  usage_characters: string;
  /** Number of seconds of audio that are transcribed, digits as text; empty when unknown. */
  usage_audio_seconds: string;
  state: 'pending' | 'done' | 'failed' | 'stopped';
  usage_source: string;
  /** The message whose place it takes (`context_before`); empty without one. Several tries all name the first message. */
  replaces: string;
  finish_reason: string;
  error_code: string;
  /** Rubles, at most six decimals. */
  cost_request: number;
  /** Rubles, at most six decimals. */
  cost_response: number;
};
export type Invitation = {
  id: number;
  note: string;
  /** Who made it: an operator's present login, or `cli`. */
  made_by: string;
  /** Unix seconds. */
  created_at: number;
  /** null: never. */
  expires_at: number | null;
  /** null: not revoked. */
  revoked_at: number | null;
  /** The opening credit of each user, in rubles. */
  credit: number;
  limits: UserLimits;
  /** How many users have registered with it. */
  uses: number;
  uses_max: number;
};
export type Model = {
  /** The parameter `ai` of a send. */
  id: number;
  /** Provider code. */
  code: string;
  /** The model's name at the provider. */
  model: string;
  description: string;
  description_full: string;
  model_alias: string | null;
  type: 'TEXT' | 'IMAGE';
  /** What the model is for. */
  modality: 'text' | 'image' | 'completion' | 'embedding' | 'speech' | 'transcription';
  max_input_tokens: number;
  max_output_tokens: number;
  min_temperature: number;
  max_temperature: number;
  /** 1: earlier messages can be sent along; 0: they can not. */
  is_chat_mode_allowed: 0 | 1;
  /** 1: messages can have images; 0: they can not; absent: not known. */
  is_image_input_allowed?: 0 | 1;
  /** Rubles for 1,000,000 prompt tokens. */
  cost_input_tokens_rub: number;
  /** Rubles for 1,000,000 completion tokens. */
  cost_output_tokens_rub: number;
  /** Rubles for a request. */
  cost_input_fix_rub: number;
  /** Rubles for an answer, or an image of an IMAGE model. */
  cost_output_fix_rub: number;
  /** A request with more prompt tokens than this is charged at the `cost_long_…` prices as a whole; absent: the model has no such prices. */
  long_context_above_tokens?: number;
  /** Rubles for 1,000,000 prompt tokens read from the provider's cache; absent: as other prompt tokens. */
  cost_cached_input_tokens_rub?: number;
  /** Rubles for 1,000,000 prompt tokens written to the provider's cache; absent: as other prompt tokens. */
  cost_cache_write_tokens_rub?: number;
  /** Rubles for 1,000,000 completion tokens spent on reasoning; absent: as other completion tokens. */
  cost_reasoning_tokens_rub?: number;
  /** Rubles for 1,000,000 characters that are spoken; absent: they cost nothing. */
  cost_characters_rub?: number;
  /** Rubles for 1,000,000 seconds of audio that are transcribed; absent: they cost nothing. */
  cost_audio_seconds_rub?: number;
  /** Rubles for 1,000,000 prompt tokens of a long request. */
  cost_long_input_tokens_rub?: number;
  /** Rubles for 1,000,000 completion tokens of a long request. */
  cost_long_output_tokens_rub?: number;
  /** In a long request, rubles for 1,000,000 prompt tokens read from the provider's cache; absent: as other prompt tokens. */
  cost_long_cached_input_tokens_rub?: number;
  /** In a long request, rubles for 1,000,000 prompt tokens written to the provider's cache; absent: as other prompt tokens. */
  cost_long_cache_write_tokens_rub?: number;
  /** In a long request, rubles for 1,000,000 completion tokens spent on reasoning; absent: as other completion tokens. */
  cost_long_reasoning_tokens_rub?: number;
  /** Hours in UTC at which all prices are another percentage of those above, the first that fits; decided when the request arrives. Absent: never. */
  cost_hours?: {
    utc: string;
    days?: ('sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat')[];
    percent: number;
  }[];
  /** How many tokens the token prices are for. */
  cost_tokens_unit: 1000000;
  currency: 'RUB';
  /** False: no price is set yet; usable by admins only. */
  priced: boolean;
};
export type NewApiKey = {
  id: string;
  /** To be used as a bearer token. Only this answer shows it. */
  key: string;
  name: string;
  /** Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** chat: only rooms, sends, histories and models; trust: only trust checks, balance and usage; credit: only top-ups with an Idempotency-Key; full: all of your own; operator: operations of operators too; admin: those of admins too. */
  scope: 'chat' | 'trust' | 'credit' | 'full' | 'operator' | 'admin';
  tags: string[];
};
export type PageSession = {
  login: string;
  /** Whether the role is `admin`. */
  is_admin: boolean;
  role: 'user' | 'operator' | 'admin';
  /** When the session ends if the page is not used. */
  expired_at: number;
  must_change_password: boolean;
  /** Whether the role needs a second factor that the user lacks. */
  must_set_up_second_factor: boolean;
};
export type ReportRow = {
  /** YYYY-MM-DD. */
  day: string | null;
  model_id: number | null;
  /** The model's name at the provider. */
  model: string | null;
  /** Where the model is now. */
  provider: string | null;
  /** The user, or the owner of the key. */
  login: string | null;
  /** null: sent without a key, or the report is not by key. */
  key_id: string | null;
  key_name: string | null;
  key_hint: string | null;
  /** Messages that were answered or charged. */
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Of these, prompt tokens read from the provider's cache. */
  cached_tokens: number;
  /** Of these, prompt tokens written to the provider's cache. */
  cache_write_tokens: number;
  /** Of these, completion tokens spent on reasoning. */
  reasoning_tokens: number;
  /** Of these, characters that are spoken. */
  characters: number;
  /** Of these, seconds of audio that are transcribed. */
  audio_seconds: number;
  /** The sum of the charges, in rubles. */
  revenue: number;
  /** What you pay, in rubles, as far as it is known: also for failed attempts. */
  cost: number;
  /** The revenue of messages of a known cost, less the cost. */
  margin: number;
  /** Messages whose cost is not known. They count neither in `cost` nor in `margin`. */
  unknown_cost_messages: number;
  /** The revenue from them. */
  unknown_cost_revenue: number;
  /** Answers that may have cost more than was charged. */
  undercharges: number;
  /** The part of their full price that was not charged, where it is known. */
  undercharged: number;
  /** Failed attempts that you pay for. */
  failed_attempts: number;
  /** What you pay for them; also in `cost`, if that of the message is known. */
  failed_cost: number;
  /** Only of a report by user alone. */
  account: AccountSums | null;
};
export type ReportSums = {
  /** Messages that were answered or charged. */
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Of these, prompt tokens read from the provider's cache. */
  cached_tokens: number;
  /** Of these, prompt tokens written to the provider's cache. */
  cache_write_tokens: number;
  /** Of these, completion tokens spent on reasoning. */
  reasoning_tokens: number;
  /** Of these, characters that are spoken. */
  characters: number;
  /** Of these, seconds of audio that are transcribed. */
  audio_seconds: number;
  /** The sum of the charges, in rubles. */
  revenue: number;
  /** What you pay, in rubles, as far as it is known: also for failed attempts. */
  cost: number;
  /** The revenue of messages of a known cost, less the cost. */
  margin: number;
  /** Messages whose cost is not known. They count neither in `cost` nor in `margin`. */
  unknown_cost_messages: number;
  /** The revenue from them. */
  unknown_cost_revenue: number;
  /** Answers that may have cost more than was charged. */
  undercharges: number;
  /** The part of their full price that was not charged, where it is known. */
  undercharged: number;
  /** Failed attempts that you pay for. */
  failed_attempts: number;
  /** What you pay for them; also in `cost`, if that of the message is known. */
  failed_cost: number;
};
export type Room = {
  room_id: string;
  /** Your own, or else the first words of its first answered message, or empty. */
  title: string;
  message_count: number;
  /** Rubles, at most six decimals. */
  spend: number;
  /** Unix seconds. */
  created_at: number;
  /** Unix seconds. */
  last_used_at: number;
};
export type RotatedApiKey = {
  id: string;
  /** The key with its new secret. Only this answer shows it. */
  key: string;
  /** When the previous secret expires. */
  old_until: number;
};
export type SendResult = {
  room_id: string;
  /** Strictly growing within a room. */
  id: number;
  request: string;
  /** The answer, or the image's URL. */
  response: string;
  /** Rubles, at most six decimals. */
  cost_request: number;
  /** Rubles, at most six decimals. */
  cost_response: number;
  ai: Model;
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    /** Number of prompt tokens read from the provider's cache, if the provider reports it. */
    cached_tokens?: number;
    /** Number of prompt tokens written to the provider's cache, if the provider reports it. */
    cache_write_tokens?: number;
    /** Number of completion tokens spent on reasoning, if the provider reports it. */
    reasoning_tokens?: number;
    /** Number of characters that are spoken, if the provider reports it. */
    characters?: number;
    /** Number of seconds of audio that are transcribed, if the provider reports it. */
    audio_seconds?: number;
    source: 'provider' | 'estimated';
  };
  finish_reason: string;
  /** The balance after the charge. */
  balance: number;
  /** Earlier messages that were sent along. */
  context_used: number;
  seed: number | null;
  warnings: string[];
  /** Only for a streamed text: see the estimate. */
  left_stream?: 'stopped' | 'read_to_end';
};
export type Session = {
  id: string;
  /** api: a program that logged in; page: the web page; cookie: the cookie interface. */
  kind: 'api' | 'page' | 'cookie';
  /** Unix seconds. */
  started_at: number;
  /** When it ends if it is not used. */
  expires_at: number;
  /** Browser and system, or program, of the login, without versions; null: unknown. */
  device: string | null;
  /** The client's address at the login; null: unknown. */
  address: string | null;
  /** true: the session of this request. */
  is_current: boolean;
};
export type TextPiece = {
  text: string;
  is_match: boolean;
};
export type Token = {
  /** A JWT, to be used as a bearer token. */
  token: string;
  /** Unix seconds. */
  expired_at: number;
  /** Only with an initial password: this token opens nothing but /account/password/. */
  must_change_password?: true;
  /** Only if your role needs a second factor that you lack: this token opens nothing but /account/second-factor/ and the operations that begin and confirm a second factor. */
  must_set_up_second_factor?: true;
};
export type Transaction = {
  id: number;
  kind: 'top_up' | 'charge' | 'refund' | 'adjustment';
  /** Rubles; negative if they left the user's account. */
  amount: number;
  /** Rubles, at most six decimals. */
  balance_after: number;
  /** The message of a charge or refund. */
  message_id: number | null;
  /** The room of the message; null if it was deleted, too. */
  room_id: string | null;
  reason: string | null;
  /** Who made a top-up or correction: an admin's present login, or another word such as `cli`. */
  made_by: string | null;
  /** Unix seconds. */
  created_at: number;
};
export type TrustJob = {
  id: string;
  work: 'import' | 'rank' | 'crawl' | 'use';
  /** The release in the request. */
  release: string | null;
  /** `waiting` until earlier jobs have ended. The last three are final. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** Login. */
  asked_by: string;
  /** Unix seconds. */
  asked_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** The current or last step. */
  progress: {
    step: string;
    /** Items of this step; null: not counted. */
    done: number | null;
    /** null: not known. */
    total: number | null;
  } | null;
  warnings: string[];
  /** The output of the same command with `--json`. */
  result: Record<string, unknown> | null;
  /** Why it failed. */
  error: {
    code: string;
    message: string;
  } | null;
};
export type TrustPoint = {
  /** YYYY-MM-DD, UTC. */
  date: string;
  xt: number;
  spam: number;
  formula: string;
  /** `NAME`, or `NAME + BASE` where a base took part. */
  release: string;
  /** What changed the score. */
  cause: 'first' | 'release' | 'formula' | 'page';
};
export type TrustRecord = {
  /** The domain that the record describes: the site, or the platform that hosts it, such as `github.io`, if the release has only the platform. */
  domain: string;
  /** 0.0 to 10.0, one decimal. */
  xt: number;
  title: string;
  login: string;
  /** Checks left today after this one. */
  remaining: number;
  colour: 'зел' | 'жел' | 'ор';
  workability: 'да' | 'не известно';
  /** Registrable domains that the site links to. */
  acceptors: number;
  /** Registrable domains that link to the site. */
  donors: number;
  /** Percent. */
  spam: number;
  /** Oldest first. */
  history: TrustPoint[];
  confidence: 'none' | 'low' | 'medium' | 'high';
  components: {
    name: string;
    unit: 'points' | 'log-odds';
    value: number;
    weight: number;
    /** Points add up to xt, log-odds to the log-odds of spam. */
    contribution: number;
  }[];
  /** The parts of the score, for people: at most five, one sentence each. */
  made_of: {
    /** One decimal; the points of all parts add up to xt. */
    points: number;
    why: string;
  }[];
  /** What raised or lowered the risk of spam: sentences for people. */
  spam_reasons: string[];
  /** What limits the score, why the colour is what it is, how certain, the home page, and the rule of colours: sentences for people. */
  summary: string[];
  /** What the score says, and what it does not say; null without a release. */
  about: string | null;
  /** What to do before you trust the site; null without a release. */
  advice: string | null;
  /** Sentences for people, the weightiest first. */
  reasons: string[];
  /** The same reasons for programs. */
  reason_codes: {
    code:
      | 'trust_rank'
      | 'page_rank'
      | 'donors'
      | 'neutral'
      | 'base_rate'
      | 'donors_link_to_spam'
      | 'donors_link_to_trusted'
      | 'links_toward_spam'
      | 'linked_by_institutions'
      | 'votes_without_trust'
      | 'listed_as_spam'
      | 'listed_as_trusted'
      | 'hidden_links'
      | 'many_external_links'
      | 'repeated_anchors'
      | 'few_donors'
      | 'links_of_platform'
      | 'few_independent_donors'
      | 'little_reach'
      | 'no_release';
    /** A number of domains, or a share from 0 to 1; null: the code needs no value. */
    value: number | null;
  }[];
  top_donors: {
    domain: string;
    share: number;
    /** Whether the operator lists it as spam. */
    listed_as_spam: boolean;
  }[];
  page: {
    /** The site whose home page was read. */
    site: string;
    fetched_at: string | null;
    status: number | null;
    final_url: string | null;
    /** A tag such as `ru` or `en-gb`. */
    language: string | null;
    /** Whether the page says its language, or it was detected in the text. */
    language_source: ('declared' | 'detected') | null;
    /** Where the home page says how to reach the site. */
    contact: string | null;
    /** The page on personal data that the home page links to. */
    privacy: string | null;
    /** The page on who is responsible that the home page links to. */
    imprint: string | null;
    parked: boolean | null;
    external_domains: number | null;
  };
  /** The release that the score is from. */
  release: string | null;
  /** The facts in the release of the whole web; null: no such release is in use. */
  base: {
    release: string;
    donors: number;
    acceptors: number;
    /** Distinct institutions that link to the site. */
    institution_donors: number;
    /** The first of the compared releases that contains it. */
    first_seen: string | null;
    /** Donors in the earlier release; null: not compared. */
    before: {
      release: string;
      donors: number;
    } | null;
  } | null;
  formula: string;
};
export type UsageDay = {
  /** YYYY-MM-DD. */
  day: string;
  model_id: number;
  /** The model's name at the provider. */
  model: string;
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Rubles, at most six decimals. */
  spend: number;
};
export type User = {
  id: number;
  login: string;
  /** Whether the role is `admin`. */
  is_admin: boolean;
  role: 'user' | 'operator' | 'admin';
  is_blocked: boolean;
  must_change_password: boolean;
  /** Rubles, at most six decimals. */
  balance: number;
  /** Rubles held for messages in progress. */
  held: number;
  /** Rubles that can be spent: balance and credit, together at most 8 000 000 000, less held. Never below 0. */
  available: number;
  /** How far below zero the balance may go, in rubles. */
  credit_limit: number;
  limits: UserLimits;
  /** Trust checks a day; null: the default. */
  trust_allowance: number | null;
  /** Unix seconds. */
  created_at: number;
  /** null: not erased. */
  erased_at: number | null;
};
export type VoucherBatch = {
  id: number;
  /** The amount of each voucher. */
  amount: number;
  note: string;
  /** Who made it: an operator's present login, or `cli`. */
  made_by: string;
  /** Unix seconds. */
  created_at: number;
  /** null: never. */
  expires_at: number | null;
  count: number;
  redeemed: number;
  revoked: number;
  /** The number of vouchers that can still be redeemed. */
  outstanding: number;
  /** Their sum. */
  outstanding_amount: number;
};
