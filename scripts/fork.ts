/**
 * Runs anvil with the contracts, for contract developers. Prints the RPC URL, the addresses and the funded keys.
 *
 *   npm run fork                          a fresh chain with stand-ins for USDC and the registries
 *   FORK_URL=<rpc of Base> npm run fork   a copy of Base with the real ones
 *   npm run fork -- --abi errors.json     names the errors of that ABI where a hook of a transaction fails
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Abi } from 'viem'
import { preferPort } from '../ops/process/ports.ts'
import { readOptions } from '../ops/process/read-options.ts'
import { parseErrors } from '../protocol/hook-veto.ts'
import { chainId, startAnvil } from './chain/anvil.ts'
import { deployContracts } from './chain/deploy-contracts.ts'
import { devAccount, devActors } from './chain/dev-accounts.ts'
import { reportVetoes } from './chain/report-vetoes.ts'
import { launchUntilStopped } from './stack/launch.ts'
import { startProgress } from './stack/progress.ts'
import { runScript } from './stack/run-script.ts'

const progress = startProgress()
const directory = mkdtempSync(join(tmpdir(), 'task-market-fork-'))
const forkUrl = process.env.FORK_URL
const { abi } = readOptions({ options: { abi: { type: 'string' } } }).values
// npm runs this in the root of the repository, wherever it was called.
const errors = abi === undefined ? [] : readErrors(resolve(process.env.INIT_CWD ?? '.', abi))
let stopReporting = () => {}

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
    stopReporting = reportVetoes(anvil.url, { errors, print: console.log })
    return { children: [anvil.child], failures: [] }
  },
  stop: async () => {
    stopReporting()
    rmSync(directory, { recursive: true, force: true })
  },
})

function readErrors(file: string): Abi {
  try {
    return parseErrors(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`--abi ${file}: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(2)
  }
}
