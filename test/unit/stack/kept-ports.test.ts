import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { openKeptPorts } from '../../../scripts/stack/kept-ports.ts'
import { markStackDown } from '../../../scripts/stack/stack-file.ts'

let directory: string
let servers: Server[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'task-market-ports-'))
})
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
  rmSync(directory, { recursive: true })
})

async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
}

const keep = (ports: object) => writeFileSync(join(directory, 'ports.json'), JSON.stringify(ports))
const kept = () => JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8'))

describe('The ports of a clone', () => {
  test('given a port of the last start, when taken again, then it is that one', async () => {
    const port = await findFreePort()
    keep({ api: port })
    expect(await openKeptPorts(directory).take('api')).toBe(port)
  })

  test('given that another program has it, then a free one is taken, and that one is kept', async () => {
    const port = await findFreePort()
    await occupy(port)
    keep({ api: port, anvil: 1234 })
    const taken = await openKeptPorts(directory).take('api')
    expect(taken).not.toBe(port)
    expect(kept()).toEqual({ api: taken, anvil: 1234 })
    expect(await openKeptPorts(directory).take('api')).toBe(taken)
  })

  test.each(['no JSON', '[]', 'null', '{"api":"x"}', '{"api":-1}', '{"api":70000}'])(
    'given a file that reads %s, then a port is taken and kept all the same',
    async (content) => {
      writeFileSync(join(directory, 'ports.json'), content)
      const port = await openKeptPorts(directory).take('api')
      expect(kept().api).toBe(port)
    },
  )
})

describe('stack.json', () => {
  const file = () => join(directory, 'stack.json')
  const read = () => JSON.parse(readFileSync(file(), 'utf8'))

  test('given a stack that ends, then its file says so, and when', () => {
    writeFileSync(file(), JSON.stringify({ running: true, stoppedAt: null, urls: { api: 'http://127.0.0.1:3000' } }))
    markStackDown(directory)
    const down = read()
    expect(down).toEqual({ running: false, stoppedAt: expect.any(String), urls: { api: 'http://127.0.0.1:3000' } })
    markStackDown(directory)
    expect(read()).toEqual(down)
  })

  test('given no file, or one that cannot be read, then nothing is written', () => {
    expect(() => markStackDown(directory)).not.toThrow()
    writeFileSync(file(), 'no JSON')
    markStackDown(directory)
    expect(readFileSync(file(), 'utf8')).toBe('no JSON')
  })
})
