import type { Abi, Address, ContractFunctionArgs, Hex, PublicClient } from 'viem'
import { createPublicClient, decodeFunctionResult, encodeFunctionData } from 'viem'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { readArtifact } from '../../../scripts/contracts/artifacts.ts'
import { runForge } from '../../../scripts/contracts/forge.ts'
import { rpcTransport } from '../../../scripts/contracts/rpc-transport.ts'

const harnessAddress: Address = '0x00000000000000000000000000000000a417ab1e'

/** The market's arithmetic on a chain, called with many cases at once. */
export interface ArithmeticHarness {
  ask(functionName: string, args: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** Contracts of `contracts/test/support` that offer what the libraries compute. */
const harnesses = ['ArithmeticHarness', 'BonusHarness'] as const

let compiled: Promise<void> | undefined

/** Compiles the harnesses, once for all files, and puts the code of one on a chain of its own. */
export async function openArithmeticHarness(name: (typeof harnesses)[number]): Promise<ArithmeticHarness> {
  compiled ??= compile()
  await compiled
  const { abi, deployedBytecode } = readArtifact(name)
  const anvil = await startAnvil()
  await anvil.request('anvil_setCode', [harnessAddress, deployedBytecode.object])
  const client = createPublicClient({ transport: rpcTransport(anvil.url, { timeout: 60_000 }) })
  return {
    ask: (functionName, args) => ask(client, { abi, functionName, args }),
    close: () => anvil.stop(),
  }
}

async function compile(): Promise<void> {
  const { exitCode, output } = await runForge(['build', ...harnesses.map((file) => `test/support/${file}.sol`)])
  if (exitCode !== 0) throw new Error(`the harnesses do not compile\n${output}`)
}

async function ask(
  client: PublicClient,
  { abi, functionName, args }: { abi: Abi; functionName: string; args: ContractFunctionArgs },
): Promise<unknown> {
  const { data = '0x' }: { data?: Hex } = await client.call({
    to: harnessAddress,
    data: encodeFunctionData({ abi, functionName, args }),
  })
  return decodeFunctionResult({ abi, functionName, data })
}
