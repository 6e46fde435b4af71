import type { Address, Hex } from 'viem'
import { decodeFundingTerms } from '../../../protocol/creation/funding-terms.ts'
import type { WriteName } from '../api/write-names.ts'
import type { Chain } from '../chain/rpc.ts'
import type { ClientContext } from '../context.ts'
import { anyOrNullShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { findTokenExcess } from '../store/ledger.ts'
import type { TokenAmount, WalletConfig, WalletState } from '../store/store.ts'
import type { AssetNotice } from './outcome.ts'
import { Refused } from './write-spec.ts'
import { writes } from './write-table.ts'

/**
 * The movements of assets other than USDC that a write causes. If the wallet's configuration does not allow a movement,
 * a user must agree before the write. A user must always agree to the payout of a sponsored reward.
 */
export interface OtherAssets extends AssetNotice {
  /** The amount of each token, which the journal records. */
  amounts: TokenAmount[]
}

/** The sources from which the facts of a write are read. */
export interface AssetSources {
  context: Pick<ClientContext, 'chain' | 'url' | 'fetch' | 'identity' | 'timing'>
  config: Pick<WalletConfig, 'hooks' | 'tokenLimits'>
  /** The wallet's own journal and task records. */
  state: WalletState
}

const none: OtherAssets = { clauses: [], amounts: [], needsPerson: false }

/**
 * Finds the movements of assets other than USDC that a write causes. Only two kinds of writes cause movements of other
 * assets: the creation of a task with hooks or hook data, and a write that decides about the reward of a sponsored
 * task.
 *
 * Example: a task creation takes 393 tokens from a vault through a hook. If the configuration does not list the hook, a
 * user must agree before the creation.
 */
export async function findOtherAssets(
  sources: AssetSources,
  { name, input }: { name: WriteName; input: object },
): Promise<OtherAssets> {
  if (name === 'createTask') return await findFunding(sources, input)
  const { taskId } = input as { taskId?: string }
  // A payout of a task's reward also pays what sponsors have reserved for the task.
  const { decidesReward } = writes[name]
  return decidesReward && taskId !== undefined ? await findSponsored(sources, taskId.toLowerCase()) : none
}

/**
 * Finds the movements of assets other than USDC that a task creation causes. The hook data can make a hook take tokens
 * from a vault.
 */
async function findFunding({ context, config, state }: AssetSources, input: object): Promise<OtherAssets> {
  const {
    hookContract,
    hookContracts = [],
    hookData = '0x',
  } = input as {
    hookContract?: string
    hookContracts?: readonly string[]
    hookData?: string
  }
  const hooks = [...hookContracts, ...(hookContract === undefined ? [] : [hookContract])].map((hook) =>
    hook.toLowerCase(),
  )
  const hasData = hookData !== '0x' && hookData !== ''
  const unlistedHooks = hooks.filter((hook) => !config.hooks.includes(hook))
  const hookClauses = unlistedHooks.map(
    (hook) => `the hook ${hook} runs with the task; the configuration does not list it`,
  )
  if (!hasData) return { ...none, clauses: hookClauses, needsPerson: unlistedHooks.length > 0 }
  const terms = decodeFundingTerms(hookData)
  if (terms === null) {
    const clause = 'hook data that is no funding of a vault goes to every hook of the task'
    return { clauses: [...hookClauses, clause], amounts: [{ token: 'unknown', amount: '0' }], needsPerson: true }
  }
  const hook = hooks.at(-1)
  const isListed = unlistedHooks.length === 0
  const vault = hook === undefined ? null : { hook: hook as Address, vaultId: terms.vaultId }
  const token = vault && (await tokenOfVault(context.chain, vault))
  const clauses = [...hookClauses, describeTaking(terms, { token, hasNode: context.chain !== null, isListed })]
  const amounts = [{ token: token ?? 'unknown', amount: terms.gross.toString() }]
  if (token === null) return { clauses, amounts, needsPerson: true }
  const excess = findTokenExcess(state, amounts, { tokenLimits: config.tokenLimits, now: Date.now() })
  return {
    clauses: excess === null ? clauses : [...clauses, excess],
    amounts,
    needsPerson: excess !== null || !isListed,
  }
}

/**
 * Returns a clause for the user about the tokens that a creation takes from a vault. If the configuration does not list
 * the hook that named the token's address, the clause says so.
 */
function describeTaking(
  { gross, vaultId }: { gross: bigint; vaultId: Hex },
  { token, hasNode, isListed }: { token: string | null; hasNode: boolean; isListed: boolean },
): string {
  const unknownTokenText = hasNode ? 'a token that the hook does not name' : 'a token that no node has named'
  const tokenText = `the token ${token}${isListed ? '' : ' (by the word of that hook)'}`
  return `${gross} base units of ${token === null ? unknownTokenText : tokenText} are taken out of the vault ${vaultId}`
}

async function tokenOfVault(
  chain: Pick<Chain, 'tokenOfVault'> | null,
  vault: { hook: Address; vaultId: Hex },
): Promise<string | null> {
  return (await chain?.tokenOfVault(vault).catch(() => null)) ?? null
}

/** Finds the sponsored rewards of a task in the service's answer, on the chain, and in this wallet's own records. */
async function findSponsored({ context, state }: AssetSources, taskId: string): Promise<OtherAssets> {
  const ownTokens = state.tasks[taskId]?.tokens ?? []
  const [serviceTokens, onChain] = await Promise.all([
    rewardsByService(context, taskId),
    context.chain === null
      ? []
      : context.chain.sponsoringTokens(taskId as Hex).catch(() => ['a token that no node has named']),
  ])
  const tokens = new Set([...ownTokens.map(({ token }) => token), ...serviceTokens, ...onChain])
  if (tokens.size === 0) return none
  const clauses = [...tokens].map((token) => `a sponsor’s reward in the token ${token} is paid out with it`)
  return { clauses, amounts: [], needsPerson: true }
}

/** The final states of a sponsored reward. A sponsored reward in a final state moves no more tokens. */
const OVER = ['claimed', 'released', 'defaulted']

async function rewardsByService(context: AssetSources['context'], taskId: string): Promise<string[]> {
  const answer = await readJson(context, `/api/tasks/${taskId}`, {}, anyOrNullShape)
  const { sponsoredTaskRewards } = ((answer.ok ? answer.body : null) ?? {}) as { sponsoredTaskRewards?: unknown }
  const rewards = (Array.isArray(sponsoredTaskRewards) ? sponsoredTaskRewards : []) as {
    tokenAddress?: unknown
    state?: unknown
  }[]
  return rewards
    .filter(({ state }) => !OVER.includes(String(state)))
    .map(({ tokenAddress }) =>
      isAddressText(tokenAddress) ? tokenAddress.toLowerCase() : 'that the service does not name',
    )
}

function isAddressText(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}

/** Returns the refusal of a write that needs a user's agreement. */
export function personNeeded({ clauses }: OtherAssets): Refused {
  const what = clauses.join('; ')
  return new Refused(
    'person_needed',
    `This write needs a person, who agrees to it with --yes (isConfirmed): ${what}. Nothing was signed.`,
  )
}
