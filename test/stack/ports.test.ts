import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort, preferPort } from '../../ops/process/ports.ts'

test('given a free port, when preferred, then it is returned', async () => {
  const port = await findFreePort()
  expect(await preferPort(port)).toBe(port)
})

test('given a port in use, when preferred, then a free one is returned', async () => {
  const port = await findFreePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  try {
    const other = await preferPort(port)
    expect(other).not.toBe(port)
    expect(other).toBeGreaterThan(0)
  } finally {
    server.close()
  }
})
