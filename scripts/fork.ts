/**
 * anvil with the contracts, for contract developers: prints the RPC URL, the addresses and the funded keys.
 *
 *   npm run fork                          a fresh chain with stand-ins for USDC and the registries
 *   FORK_URL=<rpc of Base> npm run fork   a copy of Base with the real ones
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preferPort } from '../ops/process/ports.ts'
import { chainId, startAnvil } from './chain/anvil.ts'
import { deployContracts } from './chain/deploy-contracts.ts'
import { devAccount, devActors } from './chain/dev-accounts.ts'
import { launchUntilStopped } from './stack/launch.ts'
import { startProgress } from './stack/progress.ts'
import { runScript } from './stack/run-script.ts'

const progress = startProgress()
const directory = mkdtempSync(join(tmpdir(), 'task-market-fork-'))
const forkUrl = process.env.FORK_URL

await launchUntilStopped({
  say: progress.say,
  start: async ({ throwIfStopping }) => {
    progress.say((await runScript('scripts/contracts/build.ts')).trim())
    throwIfStopping()
    const anvil = await startAnvil({
      port: await preferPort(8545),
      logFile: join(directory, 'anvil.log'),
      ...(forkUrl === undefined ? {} : { forkUrl }),
    })
    progress.say(`anvil ready on ${anvil.url}, chain ${chainId}`)
    throwIfStopping()
    const { deployment } = await deployContracts(anvil, {
      forked: forkUrl !== undefined,
      directory,
      hasBonus: true,
    })
    progress.say('contracts deployed')
    console.log(`\nRPC_URL=${anvil.url}\n${JSON.stringify(deployment, null, 2)}\n`)
    for (const { role, account, privateKey } of [devAccount('deployer'), ...devActors()]) {
      console.log(`${role.padEnd(10)} ${account.address} ${privateKey}`)
    }
    console.log('\nThese keys are public: use them nowhere else. Ctrl-C ends the chain.')
    return { children: [anvil.child], failures: [] }
  },
  stop: async () => rmSync(directory, { recursive: true, force: true }),
})
