import { useRef } from 'preact/hooks';
import { type Body, call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { amountInput, amountOf } from '../ui/amount-input.ts';
import { Field } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { w } from './words/index.ts';

interface RefundProps {
  login: string;
  messageId: number;
  onDone: () => void;
  onClose: () => void;
}

/** Refunds the charge of a message, or a part of it. */
export function Refund({ login, messageId, onDone, onClose }: RefundProps) {
  const words = w();
  const name = words.records.refundOf(`${messageId}`);
  const keyOf = useRepeatKey();
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    const amount = amountOf(fields('amount')) ?? undefined;
    const body = { login, message_id: messageId, amount, reason: fields('reason').trim() };
    const booked = await call('/admin/users/refund/', body, { idempotencyKey: keyOf(body) });
    announce(words.booked(rubles(micro(booked.amount)), rubles(micro(booked.balance))));
    onDone();
  });
  return (
    <Modal name={name} onClose={onClose}>
      <form onSubmit={onSubmit}>
        <h2>{name}</h2>
        <Field
          label={words.amount}
          hint={words.records.refundHint}
          name="amount"
          {...amountInput}
        />
        <Field label={words.reason} name="reason" autocomplete="off" pattern=".*\S.*" required />
        <ErrorProblem error={error.value} />
        <button type="submit" class="primary" disabled={isBusy.value}>
          {words.records.refund}
        </button>{' '}
        <button type="button" onClick={onClose}>
          {t().cancel}
        </button>
      </form>
    </Modal>
  );
}

/** A repetition of the same refund counts once; another amount or reason makes another refund. */
function useRepeatKey() {
  const sent = useRef({ text: '', key: '' });
  return (body: Body<'/admin/users/refund/'>) => {
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    return sent.current.key;
  };
}
