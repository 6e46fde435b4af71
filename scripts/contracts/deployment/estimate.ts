import { type Address, parseAbi, serializeTransaction } from 'viem'
import type { ReadClient } from '../chain.ts'
import type { Plan } from './plan.ts'
import { rehearse } from './rehearse.ts'
import type { Step } from './step.ts'

/** A contract of OP Stack chains such as Base. It computes the fee for storing a transaction's data on Ethereum. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

export interface StepCost {
  step: Step
  gas: bigint
  /**
   * `node`: the node estimated the gas on the chain. `rehearsal`: the gas was measured on a local chain, because the
   * real chain lacks earlier steps.
   */
  source: 'node' | 'rehearsal'
  /** Fee for the data on Ethereum, in wei, in addition to the gas. Zero if the chain has no such fee. */
  dataFee: bigint
}

/** The costs of a deployment's missing transactions. All prices and fees are in wei. */
export interface Estimate {
  costs: StepCost[]
  baseFee: bigint
  priorityFee: bigint
  /** The highest price for a unit of gas that a transaction offers. */
  maxFee: bigint
  /** True if the chain charges a fee for data on Ethereum. */
  hasDataFee: boolean
  gas: bigint
  /** Total cost at the current gas price. */
  total: bigint
  /** Total cost if each transaction pays the highest gas price that it offers (`maxFee`). */
  atMost: bigint
}

/** Estimates the costs of a plan's missing transactions at the node's current gas prices. */
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

/**
 * Asks the node for the gas of a step. @returns null if the node gives no estimate, for example because another account
 * must make the setting
 */
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
