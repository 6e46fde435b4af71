import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type Actor, readHeadersOf } from '../actors.ts'
import type { Draft, WireRequest } from './draft.ts'
import type { FuzzEnvironment, Recipe } from './environment.ts'
import { attacks, type Mutation, mistakes, spoil } from './mutations.ts'
import type { Operation } from './operations.ts'
import { type PaymentKind, paymentKinds } from './payments.ts'
import type { Schema } from './schema-arbitrary.ts'

export const kinds = ['valid', 'mistaken', 'hostile'] as const
export type Kind = (typeof kinds)[number]

/** The input of a request: plain values, so that a failing one can be shrunk and printed. */
export interface Plan {
  /** Begins with the recipe, if the operation has one. */
  cooked: boolean
  choice: number
  params: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string>
  body: unknown
  caller: 'anonymous' | 'identified' | 'impostor'
  key: 'fresh' | 'known' | 'none'
  payment: PaymentKind | 'none'
  mutations: Mutation[]
  /** Encoding of the body; null: JSON. */
  raw: RawBody | null
}

export type RawBody = (typeof rawBodies)[number]
const rawBodies = ['broken', 'bytes', 'form', 'encoded', 'untyped', 'empty', 'deep'] as const

const keyHeader = 'X-Service-Idempotency-Key'
/** Made with the rest of the request, or left out: the identities here do not expire. */
const ownHeaders = [keyHeader, 'PAYMENT-SIGNATURE', 'X-Service-Read-Expires']

/** Plans of one kind for an operation. */
export function planArbitrary(
  { parameters, body }: Operation,
  kind: Kind,
  values: (schema: Schema, name?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Plan> {
  const parametersIn = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const recordOf = (place: string, isOptional = false) => {
    const wanted = parametersIn(place).filter(({ name }) => !ownHeaders.includes(name))
    const fields = Object.fromEntries(wanted.map(({ name, schema }) => [name, values(schema, name)]))
    const requiredKeys = wanted.flatMap(({ name, required }) => (required === true || !isOptional ? [name] : []))
    return fc.record(fields, { requiredKeys })
  }
  return fc.record({
    cooked: fc.boolean(),
    choice: fc.nat(10_000),
    params: recordOf('path').map(textsOf),
    query: recordOf('query', true),
    headers: recordOf('header', true) as fc.Arbitrary<Record<string, string>>,
    body: body === null ? fc.constant(undefined) : values(body),
    caller: fc.constantFrom('anonymous', 'identified', 'identified', 'impostor'),
    key:
      kind === 'valid'
        ? fc.constantFrom('fresh', 'fresh', 'fresh', 'known')
        : fc.constantFrom('fresh', 'fresh', 'known', 'none'),
    payment: fc.constantFrom('none', 'none', ...paymentKinds),
    mutations: kind === 'valid' ? fc.constant([]) : kind === 'mistaken' ? mistakes : attacks,
    raw:
      kind === 'valid'
        ? fc.constant(null)
        : fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.constantFrom(...rawBodies)),
  })
}

/** The request of a plan. */
export async function draftOf(
  plan: Plan,
  {
    environment,
    recipe,
    operation,
  }: { environment: FuzzEnvironment; recipe: Recipe | undefined; operation: Operation },
): Promise<Draft> {
  const { actors, texts } = environment
  const actor = actors[plan.choice % actors.length] ?? actors[0]
  const cooked = plan.cooked ? await recipe?.(environment, plan.choice) : null
  const identity = plan.caller === 'anonymous' ? {} : { ...(await identityOf(cooked?.payer ?? actor)) }
  if (plan.caller === 'impostor') identity['X-Service-Caller-Address'] = actors[0].address
  const keys = texts.idempotencyKey ?? []
  const key = plan.key === 'known' ? keys[plan.choice % Math.max(1, keys.length)] : randomUUID()
  const draft: Draft = {
    params: { ...plan.params, ...cooked?.params },
    query:
      cooked?.query ??
      Object.entries(plan.query).flatMap(([name, value]) =>
        [value].flat().map((item): [string, string] => [name, String(item)]),
      ),
    headers: {
      ...(operation.takesKey && plan.key !== 'none' && key !== undefined && { [keyHeader]: key }),
      ...plan.headers,
      ...identity,
      ...cooked?.headers,
    },
    body: cooked != null && 'body' in cooked ? cooked.body : plan.body,
    payer: cooked?.payer ?? actor,
  }
  return spoil(draft, plan.mutations)
}

/** Path parameters as they stand in a URL. */
function textsOf(params: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
}

/** The request of a draft as it is sent. */
export function toWire({ method, path }: Operation, draft: Draft, raw: RawBody | null): WireRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(draft.params[name] ?? ''))
  const query = draft.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const headers = sendable(draft.headers)
  const request = { method, target: query === '' ? filled : `${filled}?${query}`, headers }
  if (method === 'GET') return request
  const text = JSON.stringify(draft.body)
  if (raw === null) {
    return {
      ...request,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(text !== undefined && { body: text }),
    }
  }
  return { ...request, ...rawly(raw, { text: text ?? '', headers }) }
}

function rawly(raw: RawBody, { text, headers }: { text: string; headers: Record<string, string> }) {
  const typed = (type: string, body: WireRequest['body'] = text) => ({
    headers: { 'Content-Type': type, ...headers },
    body,
  })
  switch (raw) {
    case 'broken':
      return typed('application/json', text.slice(0, -1))
    case 'bytes':
      return typed('application/json', Uint8Array.of(0xff, 0xfe, 0x00, 0x7b, 0x7d))
    case 'form':
      return typed('application/x-www-form-urlencoded', `a=1&b=${encode(text.slice(0, 100))}`)
    case 'encoded':
      return { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', ...headers }, body: text }
    case 'untyped':
      return typed('text/html; charset=utf-16')
    case 'empty':
      return typed('application/json', '')
    case 'deep':
      return typed('application/json', `${'['.repeat(5000)}${']'.repeat(5000)}`)
  }
}

/** Percent-encoded; half a character, which has no encoding, as the bytes that some clients send. */
function encode(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd') === text
    ? encodeURIComponent(text)
    : encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')).replaceAll('%EF%BF%BD', '%ED%A0%80')
}

/** Without the headers that no client can send. */
function sendable(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      try {
        return new Headers({ [name]: value }) !== null
      } catch {
        return false
      }
    }),
  )
}

const identities = new WeakMap<Actor, Promise<Record<string, string>>>()

/** Signing is slow and deterministic. */
function identityOf(actor: Actor): Promise<Record<string, string>> {
  const known = identities.get(actor) ?? readHeadersOf(actor)
  identities.set(actor, known)
  return known
}
