import { html, raw } from 'hono/html'
import { agentLink, type Explorer, short, whole } from '../html/address.ts'
import type { Child } from '../html/html.ts'
import { facts, note, type Page, section, stats } from '../html/layout.ts'
import { column, shortMoney, type Unit } from '../html/money.ts'
import { type Movement, movementTable } from '../html/movements.ts'
import { inline } from '../html/text.ts'
import { relative } from '../html/time.ts'
import { type AnswerOf, ReadProblem, type Reads } from '../http/read.ts'
import type { Vault } from '../http/rows.ts'
import { curationWords } from '../words/curation.ts'
import { plain } from '../words/text.ts'

type Manager = AnswerOf<'/api/sponsored-task-vaults/{vaultId}/managers'>[number]

const PAGE_SIZE = 50

/** Creates the page of a vault, with its funding, its managers, and how its tokens were used. */
export async function vaultPage(reads: Reads, vaultId: string, explorer: Explorer): Promise<Page> {
  const path = { vaultId }
  const [vault, managers] = await Promise.all([
    reads.get('/api/sponsored-task-vaults/{vaultId}', { path }),
    reads.get('/api/sponsored-task-vaults/{vaultId}/managers', { path }),
  ])
  const movements = await readMovements(reads, vault.vaultAddress)
  const { now } = reads.head()
  const unit = unitOf(vault)
  const name = vault.tokenName ?? vault.tokenSymbol ?? 'Token without a name'
  const claims = movements.filter(({ kind }) => kind === 'vault_claimed')
  return {
    title: plain(`Vault of ${name}`),
    description: `A sponsor pays winners of its tasks in ${plain(unit.symbol)}.`,
    path: `/vaults/${vault.vaultId}`,
    section: 'market',
    layout: 'split',
    isUnlisted: vault.curationStatus !== 'approved',
    body: html`<div class="head"><p class="row soft"><a href="/vaults">Vaults</a></p><h1>Vault of ${inline(name)}</h1>
<p class="row"><span class="state ${vault.status === 'active' ? 'open' : 'done'}">${vault.status === 'active' ? 'Active' : 'Closed by its sponsor'}</span> <span>${curationWords[vault.curationStatus]}</span> <span class="soft">opened ${relative(vault.createdAt, now)}</span></p>
${stats([
  ['Funded in all', shortMoney(vault.fundedTotal, unit)],
  ['Free for new tasks', shortMoney(vault.availableBalance, unit)],
  ['Reserved for tasks', shortMoney(vault.reservedBalance, unit)],
])}</div>
<div class="stack">
${section('Managers', managerTable(managers, unit), 'wallets that may spend it on tasks')}
${section('Claimed by winners', claims.length === 0 ? html`<p class="soft">Nothing yet.</p>` : movementTable(claims, { unit, explorer }))}
${section('What happened', movements.length === 0 ? html`<p class="soft">Nothing yet.</p>` : movementTable(movements, { unit, explorer }), movements.length === PAGE_SIZE ? `the newest ${PAGE_SIZE}` : null)}
</div>
<aside class="stack"><div class="tight"><h2 class="h3">Token</h2>${facts([
      ['Symbol', vault.tokenSymbol === null ? 'none' : inline(vault.tokenSymbol)],
      ['Decimals', vault.tokenDecimals === null ? 'not known' : String(vault.tokenDecimals)],
      ['Token', explorer.account(vault.tokenAddress)],
      ['Vault', explorer.account(vault.vaultAddress)],
      ['Sponsor', explorer.account(vault.owner)],
    ])}<p><small class="soft">A token chooses its own name, also that of another one: compare its address before you trust it.</small></p>
<details><summary>Vault id and epoch</summary>${whole(vault.vaultId)}<p><small class="soft">Epoch ${vault.epoch}</small></p></details></div></aside>`,
  }
}

/**
 * Creates the page that lists the vaults that a curator approved. With the URL parameter `all=true`, the page lists
 * every vault. Each row shows the vault's curation status.
 */
export async function vaultsPage(reads: Reads, { searchParams }: URL): Promise<Page> {
  const cursor = searchParams.get('cursor') ?? undefined
  const isAll = searchParams.get('all') === 'true'
  const { vaults, nextCursor } = await reads.get('/api/sponsored-task-vaults', {
    query: { limit: PAGE_SIZE, ...(isAll && { includeUnverified: true }), ...(cursor !== undefined && { cursor }) },
  })
  const rows = vaults.map(
    (vault) =>
      html`<tr><td><a href="/vaults/${vault.vaultId}">${inline(vault.tokenName ?? vault.tokenSymbol ?? 'without a name')}</a><br><small class="soft">${curationWords[vault.curationStatus]}${vault.status === 'active' ? '' : ', closed'}</small></td><td class="n">${shortMoney(vault.availableBalance, unitOf(vault))}</td><td class="n wide">${shortMoney(vault.fundedTotal, unitOf(vault))}</td><td class="wide">${short(vault.tokenAddress)}</td></tr>`,
  )
  return {
    title: 'Vaults of sponsors',
    description: 'Sponsors pay winners of their tasks in tokens, beside the USDC.',
    path: vaultsUrl(isAll, cursor),
    ...(isAll && { isUnlisted: true }),
    section: 'market',
    body: html`<div class="head"><h1>Vaults of sponsors</h1><p class="soft">A sponsor puts tokens of its own into a vault. Winners of its tasks are paid out of it, beside the USDC of the reward.</p>
<nav class="pills" aria-label="Vaults"><a href="/vaults"${isAll ? '' : raw(' aria-current="true"')}>Approved</a> <a href="/vaults?all=true"${isAll ? raw(' aria-current="true"') : ''}>All</a></nav>
<p><small class="soft">Anyone can open a vault with any token. “Approved” means that a curator of this service has looked at it; the contract does not know that word, and a vault that is not approved works the same.</small></p></div>
${vaults.length === 0 ? note('', isAll ? 'No vault yet' : 'No approved vault yet', html`A sponsor opens a vault on chain, and a curator may then approve it.${isAll ? '' : html` <a href="/vaults?all=true">See all vaults</a>.`}`) : html`<div class="scroll" tabindex="0" role="region" aria-label="Vaults"><table><thead><tr><th scope="col">Vault of</th><th scope="col" class="n">Free for tasks</th><th scope="col" class="n wide">Funded in all</th><th scope="col" class="wide">Token</th></tr></thead><tbody>${rows}</tbody></table></div>`}
${nextCursor === null ? '' : html`<p><a class="button quiet" href="${vaultsUrl(isAll, nextCursor)}" rel="next">Next ${PAGE_SIZE}</a></p>`}`,
  }
}

function vaultsUrl(isAll: boolean, cursor?: string | null): string {
  const search = new URLSearchParams({ ...(isAll && { all: 'true' }), ...(cursor != null && { cursor }) }).toString()
  return search === '' ? '/vaults' : `/vaults?${search}`
}

async function readMovements(reads: Reads, vaultAddress: string): Promise<readonly Movement[]> {
  const account = `vault:${vaultAddress.toLowerCase()}`
  const owedAccount = `vault_owed:${vaultAddress.toLowerCase()}`
  const ofAccount = async (name: string) =>
    (await reads.get('/api/books', { query: { account: name, limit: PAGE_SIZE } })).movements ?? []
  try {
    const rows = (await Promise.all([ofAccount(account), ofAccount(owedAccount)])).flat()
    const ofId = new Map(rows.map((row) => [row.id, row]))
    return [...ofId.values()].toSorted((a, b) => b.timestamp.localeCompare(a.timestamp)).slice(0, PAGE_SIZE)
  } catch (error) {
    // Books before their first comparison have no movements.
    if (error instanceof ReadProblem && error.status === 503) return []
    throw error
  }
}

function unitOf({ tokenSymbol, tokenDecimals }: Vault): Unit {
  return { symbol: tokenSymbol ?? 'tokens', decimals: tokenDecimals }
}

function managerTable(managers: readonly Manager[], unit: Unit): Child {
  if (managers.length === 0) return html`<p class="soft">None, so that no new task can be paid from it.</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Managers"><table><thead><tr><th scope="col">Manager</th><th scope="col" class="n">Spent</th><th scope="col" class="n">At most</th></tr></thead><tbody>${managers.map(
    (manager) =>
      html`<tr><td>${agentLink(manager.managerAddress)}${manager.active ? '' : html` <small class="soft">no longer</small>`}</td><td class="n">${column(manager.spent, unit)}</td><td class="n">${column(manager.spendCap, unit)}</td></tr>`,
  )}</tbody></table></div>`
}
