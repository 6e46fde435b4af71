import { connect } from 'node:net'
import { type Hex, parseEventLogs } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { findProcessIdentity } from '../../../ops/process/process-identity.ts'
import { createPayingClient, type PayingClient, type Reply } from '../../support/paying-client.ts'
import type { Payment } from '../../support/payment.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets, type Wallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

let stack: TestStack
let wallets: Wallets
/** The chain's head before these tests. */
let head: bigint

/** A paid create that is ready to send, and its result. */
interface Write {
  client: PayingClient
  call: ReturnType<typeof createCall>
  payment: Payment
}
type Outcome = Reply | 'no answer'

async function aSignedWrite(): Promise<Write> {
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: await wallets.funded(2n * REWARD) })
  const call = createCall()
  return { client, call, payment: await client.sign(await client.challenge(call)) }
}

const sendPaid = ({ client, call, payment }: Write): Promise<Outcome> =>
  client.sendPaid(call, payment).catch(() => 'no answer' as const)

/** Its intent as its payer reads it. */
async function intentOf({ client, call, payment }: Write) {
  return (await client.get(`/intents?idempotencyKey=${call.key}`, { 'PAYMENT-SIGNATURE': payment.header })).body
}

async function tasksCreatedBy(requester: Hex): Promise<number> {
  const logs = await stack.client.getLogs({ address: stack.deployment.market, fromBlock: head + 1n })
  return parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCreated', logs }).filter(
    ({ args }) => args.requester === requester,
  ).length
}

/** The lines of this run's log. */
const logLines = () =>
  stack
    .api()
    .child.readLog()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Registers these tests, on a stack that the caller starts, with a drain of a minute, and ends; its service is down at the end. */
export function testShutdown(stackOf: () => TestStack): void {
  describe('after the stop signal', () => {
    beforeAll(async () => {
      stack = stackOf()
      wallets = createWallets(stack)
      head = await stack.client.getBlockNumber()
    })

    it('given a second signal, then it exits immediately', async () => {
      const { child } = stack.api()
      process.kill(child.pid, 'SIGTERM')
      await expect.poll(async () => (await fetch(`${stack.baseUrl()}/ready`)).status, { interval: 10 }).toBe(503)
      process.kill(child.pid, 'SIGTERM')
      expect(await child.ended).toEqual({ description: 'code 1' })
      expect(findProcessIdentity(child.pid)).toBeNull()
      await stack.restartApi({ SHUTDOWN_DRAIN_MS: '200' })
    })

    it('given writes in flight under load, then each is answered or was not read, and completes exactly once', async () => {
      const writes: Write[] = []
      while (writes.length < 16) writes.push(await aSignedWrite())
      const { child } = stack.api()
      const outcomes: Promise<Outcome>[] = []
      // Wave after wave: at the signal some are answered, some are in progress, and some are not sent.
      for (let wave = 0; wave < 4; wave += 1) {
        outcomes.push(...writes.slice(wave * 4, wave * 4 + 4).map(sendPaid))
        if (wave === 1) process.kill(child.pid, 'SIGTERM')
        if (wave < 3) await Promise.race(outcomes.slice(-4))
      }
      const settled = await Promise.all(outcomes)
      expect(await child.ended).toEqual({ description: 'code 0' })
      const lines = logLines()
      expect(lines.at(-1)).toMatchObject({ msg: 'ended' })
      // During shutdown a completed write is answered without its indexed block; the machine may have odd variables.
      const warnings = lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)
      const expected = ['answer sent before indexing', 'unknown environment variables']
      expect(warnings.filter((message) => !expected.includes(message))).toEqual([])

      await stack.restartApi({ SHUTDOWN_DRAIN_MS: '200' })
      for (const [index, write] of writes.entries()) {
        const outcome = settled[index]
        const isUnread = outcome === 'no answer'
        if (outcome !== undefined && outcome !== 'no answer') {
          const { status, body } = outcome
          expect([200, 409]).toContain(status)
          if (status === 409) expect(body.service.reason).toBe('intent_in_flight')
        }
        // A request without an answer was not read: its key is at most reserved, and the same request completes now.
        if (isUnread) {
          expect((await intentOf(write)).status).toBe('reserved')
          expect((await write.client.sendPaid(write.call, write.payment)).status).toBe(200)
        }
        await expect.poll(async () => (await intentOf(write)).status, { interval: 50 }).toBe('completed')
        expect(await tasksCreatedBy(write.client.account.address)).toBe(1)
        expect(await wallets.balanceOf(write.client.account.address)).toBe(REWARD)
      }
    })

    it('given no further block, then the write answers intent_in_flight and its bytes are sent', async () => {
      const write = await aSignedWrite()
      await stack.anvil.request('evm_setAutomine', [false])
      try {
        const outcome = sendPaid(write)
        await expect.poll(async () => (await intentOf(write)).status, { interval: 20 }).toBe('broadcast')
        const { child } = stack.api()
        process.kill(child.pid, 'SIGTERM')
        expect(await outcome).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
        expect(await child.ended).toEqual({ description: 'code 0' })
        // Mined without a process of the service: the bytes had been sent.
        await stack.anvil.request('evm_mine')
        expect(await tasksCreatedBy(write.client.account.address)).toBe(1)
      } finally {
        await stack.anvil.request('evm_setAutomine', [true])
      }
      await stack.restartApi({ SHUTDOWN_DRAIN_MS: '1500', SHUTDOWN_MS: '1000' })
      await expect.poll(async () => (await intentOf(write)).status, { interval: 50 }).toBe('completed')
      expect(await wallets.balanceOf(write.client.account.address)).toBe(REWARD)
    })

    // The process that completed the write has a drain delay.
    it('given a drain delay and a client that never completes its body, then it is immediately not ready, serves until the delay ends, and then refuses and closes connections on time', async () => {
      await expect.poll(async () => (await fetch(`${stack.baseUrl()}/ready`)).status).toBe(200)
      const { child, port } = stack.api()
      const socket = connect(port, '127.0.0.1')
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.on('error', () => {})
      const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nX-Service-Idempotency-Key: ${crypto.randomUUID()}\r\n`
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"descr`)
      await expect.poll(async () => (await fetch(`${stack.baseUrl()}/api/health`)).status).toBe(200)
      process.kill(child.pid, 'SIGINT')
      await expect.poll(async () => (await fetch(`${stack.baseUrl()}/ready`)).status, { interval: 10 }).toBe(503)
      const response = await fetch(`${stack.baseUrl()}/api/tasks`)
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
      await closed
      expect(await child.ended).toEqual({ description: 'code 0' })
      await expect(fetch(`${stack.baseUrl()}/ready`)).rejects.toThrow()
    })
  })
}
