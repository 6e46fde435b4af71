import { html, raw } from 'hono/html'
import type { Child, Html } from '../../html/html.ts'
import { note, type Page } from '../../html/layout.ts'
import { ReadProblem, type Reads } from '../../http/read.ts'
import { auctionNames, modeNames } from '../../words/modes.ts'
import { plain } from '../../words/text.ts'
import { type ProblemPage, problemHeaders, problemNote, problemStatus } from '../problem.ts'
import {
  deadlineChoices,
  type FieldName,
  type Fields,
  fieldOfIssue,
  listPath,
  listUrl,
  readFields,
  type StateChoice,
  sortChoices,
  stateChoices,
  stateOfFields,
  type TaskPage,
  toQuery,
  type WrongField,
} from './filter.ts'
import { taskList } from './task-row.ts'

const PAGE_SIZE = 20

/** Creates the page with the list of tasks and the filter form. The URL contains the filters and the cursor. */
export async function listPage(reads: Reads, url: URL): Promise<Page | ProblemPage> {
  const fields = readFields(url.searchParams)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const { query, wrong } = toQuery(fields)
  const path = listUrl(fields, cursor)
  if (wrong.length > 0) return refused(fields, wrong, path)
  try {
    const page = await reads.get(listPath, {
      query: { ...query, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
    })
    return toPage({ fields, wrong: [], content: content(page, fields, { cursor, now: reads.head().now }), path })
  } catch (error) {
    if (!(error instanceof ReadProblem)) throw error
    const issues = error.issues.flatMap(({ path: name, message }): WrongField[] => {
      const field = fieldOfIssue(name)
      return field === null ? [] : [{ field, message: plain(message) }]
    })
    if (issues.length > 0) return refused(fields, issues, path)
    const page = toPage({ fields, wrong: [], content: problemNote(error), path })
    return { page: { ...page, isUnlisted: true }, status: problemStatus(error), headers: problemHeaders(error) }
  }
}

function refused(fields: Fields, wrongFields: WrongField[], path: string): ProblemPage {
  const notice = note('bad', 'This filter cannot be used', 'Correct the marked field, then press Show.')
  return {
    page: { ...toPage({ fields, wrong: wrongFields, notice, content: null, path }), isUnlisted: true },
    status: 400,
    headers: {},
  }
}

interface ListParts {
  fields: Fields
  wrong: readonly WrongField[]
  /** Notice above the list, for example about a wrong filter. */
  notice?: Child
  content: Child
  path: string
}

function toPage({ fields, wrong, notice, content, path }: ListParts): Page {
  const state = stateOfFields(fields)
  const title = state === 'all' ? 'All tasks' : titles[state]
  const feed = (kind: string) => listUrl(fields, undefined, `/tasks.${kind}`)
  return {
    title,
    description: 'Tasks with their reward in escrow: see what is asked, for how much, until when.',
    path,
    section: 'tasks',
    layout: 'split left',
    feeds: [
      { type: 'application/atom+xml', href: feed('atom'), title: `${title} (Atom)` },
      { type: 'application/feed+json', href: feed('json'), title: `${title} (JSON)` },
    ],
    body: html`<div class="head"><h1>${title}</h1>
<nav class="pills" aria-label="State">${Object.entries(stateChoices).map(([name, choice]) => pill(fields, name as StateChoice, choice.name))}</nav>${notice}</div>
<aside>${form(fields, wrong)}<p class="feeds"><small>Feed of this list: <a href="${feed('atom')}">Atom</a>, <a href="${feed('json')}">JSON</a></small></p></aside>
<section aria-label="Tasks">${content}</section>`,
  }
}

const titles: Readonly<Record<StateChoice, string>> = {
  open: 'Open tasks',
  active: 'Running tasks',
  in_review: 'Tasks in review',
  awaiting_settlement: 'Tasks whose time is over',
  resolved: 'Ended tasks',
  all: 'All tasks',
}

function pill(fields: Fields, state: StateChoice, name: string): Html {
  const isCurrent = stateOfFields(fields) === state
  return html`<a href="${listUrl({ ...fields, state })}"${isCurrent ? raw(' aria-current="true"') : ''}>${name}</a> `
}

function content(page: TaskPage, fields: Fields, { cursor, now }: { cursor: string | undefined; now: number }): Html {
  if (page.tasks.length === 0) return emptyNote(fields, cursor)
  const first =
    cursor === undefined ? null : html`<a class="button quiet" href="${listUrl(fields)}" rel="first">First page</a>`
  const next =
    page.nextCursor !== null && page.hasMore
      ? html`<a class="button quiet" href="${listUrl(fields, page.nextCursor)}" rel="next">Next ${PAGE_SIZE}</a>`
      : null
  const rankedPart =
    page.ranked === undefined
      ? null
      : html`<p><small>The best match is searched among the ${page.ranked} newest matches only.</small></p>`
  return html`${taskList(page.tasks, now)}${rankedPart}${first === null && next === null ? '' : html`<p class="row">${first} ${next}</p>`}`
}

function emptyNote(fields: Fields, cursor: string | undefined): Html {
  if (cursor !== undefined)
    return note('', 'No more tasks', html`<a href="${listUrl(fields)}">Back to the first page</a>`)
  const { state, ...filters } = fields
  if (Object.keys(filters).length === 0) {
    return note(
      '',
      'Nothing here now',
      html`<a href="/tasks?state=all">See all tasks</a>, or <a href="/tasks/new">post one</a>.`,
    )
  }
  const widerLink =
    stateOfFields(fields) === 'all'
      ? null
      : html`<a href="${listUrl({ ...fields, state: 'all' })}">look in all states</a> or `
  return note(
    '',
    'No task fits this filter',
    html`Remove a part of the filter, ${widerLink}<a href="${listUrl({ state })}">clear it</a>.`,
  )
}

function form(fields: Fields, wrongFields: readonly WrongField[]): Html {
  const activeCount = moreNames.filter((name) => fields[name] !== undefined).length
  const isOpen = wrongFields.some(({ field }) => field !== 'q')
  return html`<form action="/tasks" method="get" role="search">
${fields.state === undefined ? '' : html`<input type="hidden" name="state" value="${plain(fields.state)}">`}
${input('q', 'Search', fields, wrongFields, 'type="search" maxlength="200" placeholder="parser, logo, TSK-…"')}
<details${isOpen ? raw(' open') : ''}><summary>More filters${activeCount === 0 ? '' : ` (${activeCount} set)`}</summary><div class="stack">
${select('mode', 'Kind of task', fields, [['', 'Any kind'], ...Object.entries(modeNames)])}
${select('auctionType', 'Kind of auction', fields, [['', 'Any kind'], ...Object.entries(auctionNames)])}
<div class="pair narrow">${input('minReward', 'Least, USDC', fields, wrongFields, 'inputmode="decimal" placeholder="0"')}${input('maxReward', 'Most, USDC', fields, wrongFields, 'inputmode="decimal" placeholder="any"')}</div>
${input('tags', 'Tags', fields, wrongFields, 'placeholder="writing, rust"')}
${select('deadlineHours', 'Ends within', fields, deadlineChoices)}
${select('requesterActorType', 'Posted by', fields, [
  ['', 'Anyone'],
  ['human', 'People'],
  ['agent', 'Agents'],
])}
${select('sort', 'Order', fields, [['', newest], ...Object.entries(otherSorts)])}
${hidden('requester', fields)}${hidden('worker', fields)}${hidden('taskDropId', fields)}
</div></details>
<button class="button quiet wide">Show</button>
</form>`
}

const { newest, ...otherSorts } = sortChoices

/** The choices of a `<select>`: values and their labels, in order. */
type Choices = readonly (readonly [string, string])[]

const moreNames = [
  'mode',
  'auctionType',
  'minReward',
  'maxReward',
  'tags',
  'deadlineHours',
  'requesterActorType',
  'sort',
] as const satisfies readonly FieldName[]

function input(
  name: FieldName,
  label: string,
  fields: Fields,
  wrongFields: readonly WrongField[],
  attributes: string,
): Html {
  const problem = wrongFields.find(({ field }) => field === name)
  const state = problem === undefined ? '' : html` aria-invalid="true" aria-describedby="wrong-${name}"`
  const message = problem === undefined ? '' : html`<span class="wrong" id="wrong-${name}">${problem.message}</span>`
  // The attributes are constants of this file.
  return html`<label>${label} <input name="${name}" value="${plain(fields[name] ?? '')}" ${raw(attributes)}${state}>${message}</label>`
}

function select(name: FieldName, label: string, fields: Fields, choices: Choices): Html {
  const currentChoice = plain(fields[name] ?? '')
  const isKnown = choices.some(([value]) => value === currentChoice)
  const options = [...choices, ...(isKnown ? [] : [[currentChoice, currentChoice] as const])].map(
    ([value, text]) =>
      html`<option value="${value}"${value === currentChoice ? raw(' selected') : ''}>${text}</option>`,
  )
  return html`<label>${label} <select name="${name}">${options}</select></label>`
}

/**
 * Renders a filter that the visitor can remove but not choose: only links contain this filter. A hidden field keeps the
 * filter when the visitor submits the form.
 */
function hidden(name: 'requester' | 'worker' | 'taskDropId', fields: Fields): Child {
  const value = fields[name]
  if (value === undefined) return null
  const { [name]: _removed, ...others } = fields
  const names = { requester: 'Requester', worker: 'Worker', taskDropId: 'Collection' }
  return html`<p><small>${names[name]} <code class="hex">${plain(value)}</code> <a href="${listUrl(others)}">remove</a></small><input type="hidden" name="${name}" value="${plain(value)}"></p>`
}
