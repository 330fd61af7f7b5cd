import { expect, test } from 'bun:test';
import { mergedMetrics } from '../../src/http/merged-metrics.ts';
import { Metrics } from '../../src/http/metrics.ts';

/** The lines of these metrics, without comments. */
function linesOf(text: string, ...names: string[]): string[] {
  const lines = text.split('\n').filter((line) => names.some((name) => line.startsWith(name)));
  return lines.sort();
}

test('counters are summed by label, and continue after they were read', async () => {
  const metrics = new Metrics();
  const send = { model: '7', outcome: 'done', promptTokens: 3, completionTokens: 5 };
  metrics.observeSend({ ...send, charged: 250_000 });
  metrics.observeSend({ ...send, charged: 250_000 });
  metrics.observeSend({ ...send, model: '8', outcome: 'failed', charged: 0 });
  metrics.observeRequest('POST', 200, 0.01);
  metrics.observeRequest('PROPFIND', 405, 0.01);
  const names = ['zastava_sends_total', 'zastava_tokens_total', 'zastava_charged_rubles_total'];
  expect(linesOf(await metrics.text(), ...names, 'zastava_http_requests_total')).toEqual([
    'zastava_charged_rubles_total{model="7"} 0.5',
    'zastava_charged_rubles_total{model="8"} 0',
    'zastava_http_requests_total{method="POST",status="200"} 1',
    'zastava_http_requests_total{method="other",status="405"} 1',
    'zastava_sends_total{model="7",outcome="done"} 2',
    'zastava_sends_total{model="8",outcome="failed"} 1',
    'zastava_tokens_total{model="7",direction="input"} 6',
    'zastava_tokens_total{model="7",direction="output"} 10',
    'zastava_tokens_total{model="8",direction="input"} 3',
    'zastava_tokens_total{model="8",direction="output"} 5',
  ]);
  metrics.observeSend({ ...send, charged: 1 });
  expect(linesOf(await metrics.text(), 'zastava_sends_total', 'zastava_charged')).toEqual([
    'zastava_charged_rubles_total{model="7"} 0.500001',
    'zastava_charged_rubles_total{model="8"} 0',
    'zastava_sends_total{model="7",outcome="done"} 3',
    'zastava_sends_total{model="8",outcome="failed"} 1',
  ]);
});

test('calls are counted by model, each of the first 500 models under its own label', async () => {
  const metrics = new Metrics();
  const call = { provider: 'one', outcome: 'ok', seconds: 2 };
  for (let modelId = 1; modelId <= 502; modelId++)
    metrics.observeProviderCall({ ...call, modelId });
  metrics.observeProviderCall({ ...call, modelId: 1, outcome: 'limited', seconds: undefined });
  metrics.observeProviderCall(call);
  const send = { outcome: 'done', promptTokens: 3, completionTokens: 5, charged: 1 };
  metrics.observeSend({ ...send, model: '502' });
  const text = await metrics.text();
  expect(linesOf(text, 'zastava_model_calls_total')).toHaveLength(502);
  for (const line of [
    'zastava_model_calls_total{model="1",outcome="ok"} 1',
    'zastava_model_calls_total{model="1",outcome="limited"} 1',
    'zastava_model_calls_total{model="500",outcome="ok"} 1',
    'zastava_model_calls_total{model="other",outcome="ok"} 2',
    'zastava_model_call_duration_seconds_bucket{le="5",model="1"} 1',
    'zastava_model_call_duration_seconds_bucket{le="1",model="1"} 0',
    'zastava_model_call_duration_seconds_count{model="other"} 2',
    'zastava_sends_total{model="other",outcome="done"} 1',
  ]) {
    expect(linesOf(text, line)).toEqual([line]);
  }
});

test('durations and sizes are counted in buckets, each with all smaller ones', async () => {
  const metrics = new Metrics();
  const sizes = 'zastava_commit_batch_size';
  expect(linesOf(await metrics.text(), sizes)).toContain(`${sizes}_count 0`);
  for (const size of [1, 2, 3, 500]) metrics.observeBatch(size);
  const call = { provider: 'one', outcome: 'ok' };
  metrics.observeProviderCall({ ...call, seconds: 0.01 });
  metrics.observeProviderCall({ ...call, seconds: 0.02 });
  metrics.observeProviderCall({ ...call, seconds: undefined });
  const seconds = 'zastava_provider_call_duration_seconds';
  expect(linesOf(await metrics.text(), sizes, seconds)).toEqual([
    `${sizes}_bucket{le="+Inf"} 4`,
    `${sizes}_bucket{le="1"} 1`,
    `${sizes}_bucket{le="128"} 3`,
    `${sizes}_bucket{le="16"} 3`,
    `${sizes}_bucket{le="2"} 2`,
    `${sizes}_bucket{le="32"} 3`,
    `${sizes}_bucket{le="4"} 3`,
    `${sizes}_bucket{le="64"} 3`,
    `${sizes}_bucket{le="8"} 3`,
    `${sizes}_count 4`,
    `${sizes}_sum 506`,
    ...['+Inf', '0.01', '0.05', '0.25', '1', '120', '15', '5', '60'].map(
      (le) => `${seconds}_bucket{le="${le}",provider="one"} ${le === '0.01' ? 1 : 2}`,
    ),
    `${seconds}_count{provider="one"} 2`,
    `${seconds}_sum{provider="one"} 0.03`,
  ]);
});

test('those of several processes make one text, each sample with its worker', async () => {
  const all = [new Metrics(0), new Metrics(1)];
  for (const metrics of all) metrics.observeRequest('GET', 200, 0.002);
  const texts = await Promise.all(all.map((metrics) => metrics.text()));
  const text = mergedMetrics(texts);
  expect(text.match(/^# TYPE zastava_http_requests_total counter$/gm)).toHaveLength(1);
  expect(
    linesOf(text, 'zastava_http_requests_total', 'zastava_http_request_duration_seconds_count'),
  ).toEqual([
    'zastava_http_request_duration_seconds_count{worker="0"} 1',
    'zastava_http_request_duration_seconds_count{worker="1"} 1',
    'zastava_http_requests_total{method="GET",status="200",worker="0"} 1',
    'zastava_http_requests_total{method="GET",status="200",worker="1"} 1',
  ]);
  expect(mergedMetrics(texts.slice(0, 1))).toBe(texts[0] ?? '');
});
