// client: schemathesis
// kind: document
// pypi: schemathesis
import { address, ended, finish, writeDocument } from './document.mjs';

await writeDocument();
// Only what the document promises: no 500, known statuses, types, schemas and headers of answers.
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];
finish(
  ended('bin/schemathesis', [
    'run',
    'openapi.json',
    '--url',
    address,
    '--header',
    `Authorization: Bearer ${process.env.ZASTAVA_KEY}`,
    '--checks',
    checks.join(','),
    '--include-path-regex',
    '^/(ai|account|v1)/',
    '--exclude-path-regex',
    '/(password|keys|export)/?$',
    '--phases',
    'examples,coverage,fuzzing',
    '--max-examples',
    '10',
    '--seed',
    '1',
    // A path with an id matches few of the texts that it makes up.
    '--suppress-health-check',
    'filter_too_much',
  ]),
);
