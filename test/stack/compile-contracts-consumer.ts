import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { runNode } from '../../scripts/stack/run-command.ts'

/** The compiler in Go takes a quarter of the time. */
const compiler = 'typescript-native'

/** A program of a user of viem, wagmi and Ponder. The lines that must not compile prove that the types are exact. */
const consumer = `
import { readContract, type Config } from '@wagmi/core'
import { type Virtual, createConfig } from 'ponder'
import { type Address, createPublicClient, getAbiItem, getContract, http, parseEventLogs } from 'viem'
import { addresses, errorsAbi, taskMarketAbi } from 'task-market-contracts'
import errors from 'task-market-contracts/abi/errors.json' with { type: 'json' }

const usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' = addresses[8453].usdc
export const undeployed: undefined = addresses[8453].market
// @ts-expect-error there is no such chain
addresses[1]

const market = getContract({ address: usdc, abi: taskMarketAbi, client: createPublicClient({ transport: http() }) })
const task = await market.read.getTask(['0x11'])
export const [reward, requester]: [bigint, Address] = [task.reward, task.requester]
// @ts-expect-error a task id is hex
market.read.getTask([1n])
const [log] = parseEventLogs({ abi: taskMarketAbi, logs: [] })
if (log?.eventName === 'HookCallFailed') console.log(log.args.hook.toUpperCase(), log.args.selector)
// @ts-expect-error there is no event of this name
if (log?.eventName === 'HookCallFails') console.log(log)
export const veto: 'HookVetoed' = getAbiItem({ abi: errorsAbi, name: 'HookVetoed' }).name
export const names: string[] = errors.map(({ name }) => name)

export async function withWagmi(config: Config): Promise<readonly [readonly Address[], bigint]> {
  // @ts-expect-error there is no function of this name
  await readContract(config, { address: usdc, abi: taskMarketAbi, functionName: 'hooks' })
  return await readContract(config, { address: usdc, abi: taskMarketAbi, functionName: 'hooksOf', args: ['0x11'] })
}

const config = createConfig({
  chains: { base: { id: 8453, rpc: 'https://mainnet.base.org' } },
  contracts: { Market: { abi: taskMarketAbi, chain: 'base', address: usdc, startBlock: 1 } },
})
declare const ponder: Virtual.Registry<typeof config, Record<string, never>>
ponder.on('Market:TaskCompleted', async ({ event }) => {
  console.log(event.args.taskId.toUpperCase(), event.args.worker)
  // @ts-expect-error the event has no such argument
  console.log(event.args.winner)
})
`

/**
 * Compiles a program that imports the installed package beside the libraries of this repository.
 * @returns what the compiler says
 */
export async function compileContractsConsumer(folder: string, project: string): Promise<string> {
  const modules = join(folder, 'types', 'node_modules')
  for (const name of ['viem', 'ponder', '@wagmi/core'])
    link(join(repositoryRoot, 'node_modules', name), join(modules, name))
  link(join(project, 'node_modules', 'task-market-contracts'), join(modules, 'task-market-contracts'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    types: [],
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
  }
  const settings = join(folder, 'types', 'tsconfig.json')
  writeFileSync(join(folder, 'types', 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'types', 'consumer.ts'), consumer)
  writeFileSync(settings, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  const path = join(repositoryRoot, 'node_modules', compiler, 'bin', 'tsc')
  return (await runNode(path, ['--project', settings], { name: compiler })).output
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
