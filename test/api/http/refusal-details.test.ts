import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Detail } from '../../../protocol/details.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Requests that no schema of an operation describes, and the condition that refuses each. */
const refusals: [what: string, path: string, request: RequestInit, detail: Detail][] = []

const api = aStartedApi({ PUBLIC_BASE_URL: 'https://market.example' })

const asJson = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': randomUUID() },
  body,
})
const key = () => ({ 'X-Service-Idempotency-Key': randomUUID() })
const identity = {
  'X-Service-Caller-Address': `0x${'1'.repeat(40)}`,
  'X-Service-Caller-Signature': `0x${'1'.repeat(130)}`,
}
const noTask = `0x${'9'.repeat(64)}`
const many = JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
const creation = '{"description":"Name it","reward":"2000000","duration":1,"tags":[]}'
const payment = (value: unknown) => ({
  ...asJson(creation),
  headers: {
    'Content-Type': 'application/json',
    ...key(),
    'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(value)).toString('base64'),
  },
})
refusals.push(
  ['no JSON', '/api/tasks', asJson('{'), 'malformed_json'],
  ['no UTF-8', '/api/tasks', { ...asJson(''), body: new Uint8Array([0x22, 0xff, 0x22]) }, 'malformed_json'],
  ['JSON that is nested too deep', '/api/tasks', asJson('['.repeat(5000)), 'malformed_json'],
  ['a body that is too large', '/api/tasks', asJson(`"${'x'.repeat(1 << 21)}"`), 'body_too_large'],
  [
    'an encoded body',
    '/api/tasks',
    { ...asJson('{}'), headers: { ...key(), 'Content-Encoding': 'br' } },
    'unsupported_encoding',
  ],
  [
    'a body of another type',
    '/api/tasks',
    { method: 'POST', headers: { ...key(), 'Content-Type': 'text/xml' }, body: '<a/>' },
    'malformed_json',
  ],
  ['no key', '/api/tasks', { method: 'POST', body: creation }, 'key_missing'],
  ['fields that are wrong', '/api/tasks', asJson('{"reward":-1}'), 'invalid_input'],
  [
    'an unknown field',
    '/api/tasks',
    { ...asJson(creation.replace('}', ',"a":1}')), headers: { ...key(), Prefer: 'handling=strict' } },
    'unknown_field',
  ],
  ['an unknown parameter', '/api/tasks?a=1', { headers: { Prefer: 'handling=strict' } }, 'unknown_field'],
  ['a payment that is none', '/api/tasks', payment('x'), 'payment_malformed'],
  ['a cursor that is none', '/api/tasks?cursor=x', {}, 'invalid_input'],
  ['a task that is none', '/api/tasks/x', {}, 'invalid_input'],
  ['a file that is gone', `/api/artifacts/${randomUUID()}?expires=1&signature=x`, {}, 'link_expired'],
  [
    'an upload that is none',
    `/api/uploads/${randomUUID()}?expires=1&size=1&type=text%2Fplain&signature=x`,
    { method: 'PUT', body: 'x' },
    'link_expired',
  ],
  [
    'a read without identity',
    '/api/webhooks?address=0x1111111111111111111111111111111111111111',
    { headers: identity },
    'identity_missing',
  ],
  ['a task that does not exist', `/api/tasks/${noTask}/submissions`, {}, 'task_not_found'],
  ['an intent of another', `/api/intents?idempotencyKey=${randomUUID()}`, {}, 'intent_unreadable'],
  ['an event that is none', '/api/events?after=x', {}, 'invalid_input'],
  ['an export that is none', '/api/exports/x', {}, 'export_not_found'],
  ['a policy that is none', `/api/legal/documents/${'1'.repeat(64)}`, {}, 'document_not_found'],
  ['a query by POST', '/trpc/tasks.list', asJson('{}'), 'method_not_allowed'],
  ['a batch that is too large', `/trpc/${Array(200).fill('tasks.list').join(',')}?batch=1`, {}, 'invalid_input'],
  ['a write in a batch', '/trpc/tasks.create,tasks.create?batch=1', asJson('{}'), 'write_not_alone'],
  ['a write that is not paid', '/trpc/tasks.create', asJson(creation), 'payment_required'],
  ['no JSON for a tool', '/mcp', asJson('{'), 'malformed_json'],
  ['a batch of messages that is too large', '/mcp', asJson(many), 'body_too_large'],
  ['another toolset', '/mcp?tools=x', asJson('{}'), 'invalid_input'],
  ['another option', '/mcp?x=1', asJson('{}'), 'invalid_input'],
  [
    'a page of another origin',
    '/mcp',
    { ...asJson('{}'), headers: { Origin: 'https://evil.example' } },
    'foreign_origin',
  ],
  ['another host', '/mcp', { ...asJson('{}'), headers: { Host: 'evil.example' } }, 'foreign_origin'],
)

/** `service` of an error, in the place where REST, tRPC (alone and in a batch) and MCP have it. */
function serviceOf(text: string) {
  const [answer] = [JSON.parse(text)].flat()
  return answer.service ?? answer.error?.data?.service
}

test.each(refusals)(
  'given %s, then the refusal names its condition and the page of it',
  async (_, path, request, detail) => {
    const host = path.startsWith('/mcp') ? { Host: 'market.example' } : {}
    const headers = { ...host, ...(request.headers as Record<string, string>) }
    const response = await api.app.request(path, { ...request, headers })
    const text = await response.text()
    expect([response.status >= 400, serviceOf(text)], `${response.status} ${text}`).toEqual([
      true,
      expect.objectContaining({ detail, docs: `https://market.example/docs/errors/${detail}` }),
    ])
  },
)
