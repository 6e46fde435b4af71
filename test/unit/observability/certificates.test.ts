import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createCertificates } from '../../../api/observability/certificates.ts'
import { certificate, certificateKey } from '../../support/webhooks/certificate.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const expiry = Date.parse(new X509Certificate(certificate).validTo)
const stopping = new AbortController().signal
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('given a certificate that no authority signed, then its days are read, before and after its end', async () => {
  const url = await listen(createTlsServer({ cert: certificate, key: certificateKey }))
  let now = expiry - 3 * DAY
  const certificates = createCertificates({ PUBLIC_BASE_URL: url, ARTIFACT_BASE_URL: undefined }, { now: () => now })
  expect(certificates.remaining()).toEqual([])
  expect(await certificates.run(stopping)).toBe(6 * HOUR)
  expect(certificates.remaining()).toEqual([{ setting: 'PUBLIC_BASE_URL', days: 3 }])
  now = expiry + DAY
  expect(certificates.remaining()).toEqual([{ setting: 'PUBLIC_BASE_URL', days: -1 }])
})

test('given a server without an answer, then the read ends in time, and is tried sooner', async () => {
  const silent = await listen(createServer((socket) => socket.resume()))
  const certificates = createCertificates({ PUBLIC_BASE_URL: silent }, { timeoutMs: 50 })
  expect(await certificates.run(stopping)).toBe(HOUR / 6)
  expect(certificates.remaining()).toEqual([])
})

test('given one of two servers that closes its connections, then what was read stays, and it is tried sooner', async () => {
  const url = await listen(createTlsServer({ cert: certificate, key: certificateKey }))
  const closed = await listen(createServer((socket) => socket.destroy()))
  const certificates = createCertificates({ PUBLIC_BASE_URL: url, ARTIFACT_BASE_URL: closed }, { now: () => expiry })
  expect(await certificates.run(stopping)).toBe(HOUR / 6)
  expect(certificates.remaining()).toEqual([{ setting: 'PUBLIC_BASE_URL', days: 0 }])
})

test('given http and a process that ends, then nothing is read, and nothing is waited for', async () => {
  const silent = await listen(createServer((socket) => socket.resume()))
  const plain = createCertificates({ PUBLIC_BASE_URL: 'http://127.0.0.1:1' })
  expect(await plain.run(stopping)).toBe(6 * HOUR)
  const ended = createCertificates({ PUBLIC_BASE_URL: silent })
  expect(await ended.run(AbortSignal.abort())).toBe(HOUR / 6)
  expect(ended.remaining()).toEqual([])
})
