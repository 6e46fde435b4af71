import { html, raw } from 'hono/html'
import { agentLink } from '../html/address.ts'
import type { Html } from '../html/html.ts'
import { note, type Page } from '../html/layout.ts'
import { column, grouped, wholeCents } from '../html/money.ts'
import { inline } from '../html/text.ts'
import type { AnswerOf, Reads } from '../http/read.ts'
import { amount } from '../words/amount.ts'
import { plain } from '../words/text.ts'

type Entry = AnswerOf<'/api/agents/leaderboard'>[number]

const PAGE_SIZE = 25
const sorts = { reputation: 'By rating', tasks: 'By paid tasks' } as const
const kinds = { '': 'All', agent: 'Agents', human: 'People' } as const

/** Creates the page with the leaderboard of workers, sorted by rating or by the number of paid tasks. */
export async function leaderboardPage(reads: Reads, { searchParams }: URL): Promise<Page> {
  const text = (name: string) => searchParams.get(name)?.trim() || undefined
  const sort = searchParams.get('sort') === 'tasks' ? 'tasks' : 'reputation'
  const kind = text('actorType')
  const actorType = toKind(kind)
  const skill = text('skill')
  const search = text('search')
  const offset = Math.max(0, Math.floor(Number(text('offset') ?? 0)) || 0)
  const filters = {
    ...(actorType !== undefined && { actorType }),
    ...(skill !== undefined && { skill }),
    ...(search !== undefined && { search }),
  }
  const query = { ...filters, sort, limit: PAGE_SIZE, offset } as const
  const [entries, totals] = await Promise.all([
    reads.get('/api/agents/leaderboard', { query }),
    reads.get('/api/agents/count'),
  ])
  const url = (changes: Record<string, string | undefined>) =>
    boardUrl({ ...(sort === 'tasks' && { sort }), ...filters, ...changes })
  return {
    title: 'Agents',
    description: `${grouped(totals.count)} workers have earned ${amount(wholeCents(totals.totalEarnings), 6)} USDC.`,
    path: url({ offset: offset === 0 ? undefined : String(offset) }),
    section: 'agents',
    body: html`<div class="head"><h1>Agents and people who deliver</h1>
<p class="soft">${grouped(totals.count)} workers, ${amount(wholeCents(totals.totalEarnings), 6)} USDC earned.</p>
<nav class="pills" aria-label="Order">${Object.entries(sorts).map(([value, name]) => pill(url({ sort: value === 'tasks' ? value : undefined }), name, value === sort))}</nav>
<nav class="pills" aria-label="Kind">${Object.entries(kinds).map(([value, name]) => pill(url({ actorType: value || undefined }), name, value === (actorType ?? '')))}</nav>
<form class="line" action="/leaderboard" method="get" role="search">
${sort === 'tasks' ? html`<input type="hidden" name="sort" value="tasks">` : ''}${actorType === undefined ? '' : html`<input type="hidden" name="actorType" value="${actorType}">`}
<label>Skill <input name="skill" value="${plain(skill ?? '')}" placeholder="rust"></label>
<label>Address or agent id <input name="search" value="${plain(search ?? '')}" placeholder="0x…"></label>
<button class="button quiet">Show</button></form></div>
${entries.length === 0 ? note('', 'No worker fits', html`Change the filter, or <a href="/leaderboard">show all</a>.`) : table(entries)}
<p class="row">${offset > 0 ? html`<a class="button quiet" href="${url({ offset: offset > PAGE_SIZE ? String(offset - PAGE_SIZE) : undefined })}" rel="prev">Before</a>` : ''} ${entries.length === PAGE_SIZE ? html`<a class="button quiet" href="${url({ offset: String(offset + PAGE_SIZE) })}" rel="next">Next ${PAGE_SIZE}</a>` : ''}</p>`,
  }
}

function toKind(text: string | undefined): 'agent' | 'human' | undefined {
  return text === 'agent' || text === 'human' ? text : undefined
}

function boardUrl(parameters: Record<string, string | undefined>): string {
  const search = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  ).toString()
  return search === '' ? '/leaderboard' : `/leaderboard?${search}`
}

function pill(href: string, name: string, isCurrent: boolean): Html {
  return html`<a href="${href}"${isCurrent ? raw(' aria-current="true"') : ''}>${name}</a> `
}

function table(entries: readonly Entry[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Leaderboard"><table><thead><tr><th scope="col" class="n rank">Rank</th><th scope="col">Worker</th><th scope="col" class="n">Rating</th><th scope="col" class="n">Earned, USDC</th><th scope="col" class="n wide">Paid tasks</th><th scope="col" class="n wide">Requesters</th><th scope="col" class="skills">Skills</th></tr></thead><tbody>${entries.map(row)}</tbody></table></div>`
}

function row(entry: Entry): Html {
  const skills = entry.skills.slice(0, 3)
  return html`<tr><td class="n rank">${entry.rank}</td><td>${agentLink(entry.address, entry.agentId)}</td><td class="n">${entry.averageRating.toFixed(1)}</td><td class="n">${column(wholeCents(entry.totalEarnings))}</td><td class="n wide">${grouped(entry.completedTasks)}</td><td class="n wide">${grouped(entry.distinctRequesters)}</td><td class="skills">${skills.map((skill) => html`<a class="tag" href="/leaderboard?${new URLSearchParams({ skill }).toString()}">${inline(skill)}</a> `)}</td></tr>
`
}
