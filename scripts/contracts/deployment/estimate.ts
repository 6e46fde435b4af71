import { type Address, parseAbi, serializeTransaction } from 'viem'
import type { ReadClient } from '../chain.ts'
import type { Plan } from './plan.ts'
import { rehearse } from './rehearse.ts'
import type { Step } from './step.ts'

/** Contract of OP Stack chains such as Base that computes a transaction's fee for its data on Ethereum. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

export interface StepCost {
  step: Step
  gas: bigint
  /** `node`: the node estimated it on the chain. `rehearsal`: it was used on a local chain, because steps before it are missing. */
  source: 'node' | 'rehearsal'
  /** Wei, beside the gas; zero where the chain charges none. */
  dataFee: bigint
}

/** Amounts in wei. */
export interface Estimate {
  costs: StepCost[]
  baseFee: bigint
  priorityFee: bigint
  /** The most that a transaction offers for a unit of gas. */
  maxFee: bigint
  /** The chain charges for data on Ethereum. */
  hasDataFee: boolean
  gas: bigint
  /** At the price of now. */
  total: bigint
  /** At the highest price that the transactions offer. */
  atMost: bigint
}

/** Estimates the missing transactions of a plan at the prices of the node. */
export async function estimate(
  client: ReadClient,
  plan: Plan,
  { missing, fees }: { missing: Step[]; fees?: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } },
): Promise<Estimate> {
  const prices = fees ?? (await client.estimateFeesPerGas())
  const { baseFeePerGas } = await client.getBlock()
  const { maxFeePerGas: maxFee, maxPriorityFeePerGas: offeredFee } = prices
  const baseFee = baseFeePerGas ?? 0n
  const priorityFee = baseFee + offeredFee <= maxFee ? offeredFee : maxFee > baseFee ? maxFee - baseFee : 0n
  const hasDataFee = (await client.getCode({ address: gasPriceOracle })) !== undefined
  const rehearsedGas = missing.length === 0 ? new Map<Step, bigint>() : await rehearse(plan)
  const firstStage = Math.min(...missing.map(({ stage }) => stage))
  const costs: StepCost[] = []
  for (const step of missing) {
    const estimatedGas = step.stage === firstStage ? await estimateOnChain(client, plan, step) : null
    const usedGas = rehearsedGas.get(step)
    if (usedGas === undefined) throw new Error(`the rehearsal did not do: ${step.what}`)
    const gas = estimatedGas ?? usedGas
    const dataFee = hasDataFee ? await readDataFee(client, { step, gas, maxFee }) : 0n
    costs.push({ step, gas, source: estimatedGas === null ? 'rehearsal' : 'node', dataFee })
  }
  const gas = sum(costs.map((cost) => cost.gas))
  const dataFees = sum(costs.map(({ dataFee }) => dataFee))
  return {
    costs,
    baseFee,
    priorityFee,
    maxFee,
    hasDataFee,
    gas,
    total: gas * (baseFee + priorityFee) + dataFees,
    atMost: gas * maxFee + dataFees,
  }
}

/** @returns null when the node gives no estimate, such as for a setting that is another account's to make */
async function estimateOnChain(client: ReadClient, { setup }: Plan, { to, data }: Step): Promise<bigint | null> {
  try {
    return await client.estimateGas({ account: setup.deployer, to, data })
  } catch {
    return null
  }
}

function readDataFee(
  client: ReadClient,
  { step, gas, maxFee }: { step: Step; gas: bigint; maxFee: bigint },
): Promise<bigint> {
  const { to, data } = step
  const fees = { maxFeePerGas: maxFee, maxPriorityFeePerGas: maxFee }
  const chainId = client.chain.id
  const transaction = serializeTransaction({ type: 'eip1559', chainId, nonce: 0, to, data, gas, ...fees })
  return client.readContract({
    address: gasPriceOracle,
    abi: oracleAbi,
    functionName: 'getL1Fee',
    args: [transaction],
  })
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
