import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { runRelayer } from '../../../ops/relayer/command.ts'
import { devAccount, devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { serveWeb3signer } from '../../support/signers/web3signer-server.ts'
import type { Outcome } from '../client/outcome.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { startBlocks } from '../inject/chain.ts'
import { expectAll, prepareMixed, untilStatus } from '../inject/steps.ts'

/** Classes of writes with each way of payment that need little preparation. */
const CLASSES = ['create', 'fee-paid', 'free', 'stake', 'withdraw']
/** Time between two blocks, milliseconds: blocks become safe without writes too. */
const BLOCK_EVERY_MS = 100
/** Writes of each class during a rotation. */
const WRITES_OF_A_CLASS = 8

/**
 * Relayers change while writes go on. The commands of `npm run relayer` make every step: no write is lost or charged twice, and no
 * nonce is left open.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'rotation: another relayer in place of one, during writes',
    topology: 2,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 400_000,
    run: withSigner,
  },
]

async function withSigner(context: FaultCaseContext): Promise<void> {
  const key = context.random.bytes32()
  // A stand-in for web3signer has the key of the new relayer.
  const address = privateKeyToAddress(key).toLowerCase() as Hex
  const server = await serveWeb3signer([key])
  context.environment.relayers.push(address)
  const stopBlocks = startBlocks(context.environment.anvil, BLOCK_EVERY_MS)
  try {
    await rotate(context, { address, entry: `web3signer:${server.url}/${address}` })
  } finally {
    await stopBlocks()
    // Without its signer a process would not start again.
    for (const replica of context.replicas) await replica.stop()
    await server.stop()
  }
}

/** @param entry of the new relayer in RELAYER_SIGNERS */
async function rotate(context: FaultCaseContext, { address, entry }: { address: Hex; entry: string }): Promise<void> {
  const { client, sql } = context.environment
  const [old, ...kept] = devRelayers().map(({ privateKey }) => privateKey)
  if (old === undefined) throw new Error('an environment has relayers')
  const retired = privateKeyToAddress(old)
  const writes = await prepareMixed(context, WRITES_OF_A_CLASS, CLASSES)
  const steps = 3 + context.replicas.length
  const share = Math.ceil(writes.length / steps)
  const outcomes: Promise<Outcome>[] = []
  /** Some of the writes are on their way when it resolves. */
  const begin = async (): Promise<void> => {
    const batch = writes.splice(0, share)
    outcomes.push(...batch.map((write) => context.perform(write)))
    await untilStatus(context, batch, ['recorded', 'broadcast', 'completed'])
  }
  await begin()
  await relayer(context, ['add', address])
  // A second run finds it done.
  await relayer(context, ['add', address])
  await relayer(context, ['fund', address, '--amount', '10'])
  for (const replica of context.replicas) {
    await begin()
    await replica.stop()
    await replica.start({ RELAYER_KEYS: kept.join(','), RELAYER_SIGNERS: entry })
  }
  await begin()
  await relayer(context, ['remove', retired])
  const rest: Hex = `0x${'d7'.repeat(20)}`
  await relayer(context, ['drain', retired, '--to', rest], old)
  await relayer(context, ['drain', retired, '--to', rest], old)
  if ((await client.getBalance({ address: rest })) < 10n ** 18n) throw new Error('the ether did not arrive')
  await begin()
  expectAll(await Promise.all(outcomes), 'completed')
  const [signed] = await sql<{ count: number }[]>`
    select count(*)::int as count from service.attempts where relayer = ${address} and purpose = 'call'`
  if (signed === undefined || signed.count === 0) throw new Error('the new relayer relayed nothing')
  context.note(`${outcomes.length} writes, ${signed.count} of them by the new relayer`)
  // The environment's settings name it.
  await relayer(context, ['add', retired])
  await relayer(context, ['fund', retired, '--amount', '10'])
}

/** Runs `npm run relayer` as the owner, with the key of a relayer. */
async function relayer({ environment, note }: FaultCaseContext, words: string[], key?: Hex): Promise<void> {
  const { databaseUrl, anvil, deploymentFile } = environment
  await runRelayer(words, {
    environment: {
      DATABASE_URL: databaseUrl,
      RPC_URL: anvil.url,
      DEPLOYMENT_FILE: deploymentFile,
      ...(key !== undefined && { RELAYER_KEYS: key }),
    },
    say: (line) => note(line.slice(0, 60)),
    chooseSigner: async () => devAccount('owner').account,
  })
}
