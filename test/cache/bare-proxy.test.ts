import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer } from '../../api/server/http-server.ts'
import { writes } from '../../api/server/routes.ts'
import { agreeToEverything } from '../api/writes/fake-payments.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { createCleanups } from '../support/cleanups.ts'
import { publishedContract } from '../support/conformance-contract.ts'
import { createFuzz, type Fuzz } from '../support/fuzz/fuzz.ts'
import { listOperations } from '../support/fuzz/operations.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { createRowEnvironment } from '../support/fuzz/row-environment.ts'
import { PROXY_IS_UP, startNginx } from './start-nginx.ts'

const document = publishedDocument()
const operations = listOperations(document)
const paidWrites = writes.filter(({ modes }) => (modes as readonly string[]).includes('paid'))
/** The rest is free for most requests, with a challenge of the same size. */
const alwaysPaid = paidWrites.filter(({ modes }) => modes.length === 1)

const cleanups = createCleanups()
let api: TestApi
let fuzz: Fuzz
/** The statuses that came through the proxy, by operation path. */
const priced = new Set<string>()

beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '100', MINT_ANSWER_MS: '250' })
  cleanups.defer(api.stop)
  agreeToEverything(api)
  const server = createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port: servicePort } = server.address() as AddressInfo
  // Nothing but proxy_pass: buffers, protocol and headers are those of the package.
  const proxy = await startNginx(
    ({ port }) => `
  server {
    listen 127.0.0.1:${port};
    location = ${PROXY_IS_UP} { return 204; }
    location / { proxy_pass http://127.0.0.1:${servicePort}; }
  }`,
  )
  cleanups.defer(proxy.stop)
  const send = async ({ target, ...init }: { target: string; method: string }) => {
    const { status, headers, ...answer } = await read(await fetch(proxy.url + target, init))
    expect(status, target).not.toBe(502)
    if (headers.has('payment-required')) priced.add(operationAt(target))
    return { status, headers, ...answer }
  }
  const environment = await createRowEnvironment(api)
  fuzz = createFuzz({ document, contract: publishedContract(document), environment, send, seed: 1, runs: 6 })
}, 120_000)
afterAll(() => cleanups.run())

async function read(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The paid write that a request path belongs to. */
function operationAt(target: string): string {
  const path = new URL(target, 'http://localhost').pathname
  const matching = paidWrites.find(({ path: template }) =>
    new RegExp(`^/api${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return matching?.operationId ?? ''
}

test('every paid write passes a proxy that has only proxy_pass: its price and its answer', async () => {
  for (const { operationId } of alwaysPaid) {
    const operation = operations.find(({ id }) => id === operationId)
    if (operation === undefined) throw new Error(`the document has no ${operationId}`)
    await fuzz.drive(operation, 'valid')
  }
  expect([...priced]).toEqual(expect.arrayContaining(alwaysPaid.map(({ operationId }) => operationId)))
}, 120_000)
