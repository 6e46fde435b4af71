import { html } from 'hono/html'
import { type Explorer, whole } from '../html/address.ts'
import type { Html } from '../html/html.ts'
import { facts, type Page, section, stats } from '../html/layout.ts'
import { counted, total } from '../html/money.ts'
import { inline } from '../html/text.ts'
import { relative } from '../html/time.ts'
import type { AnswerOf, Reads } from '../http/read.ts'
import { taskList } from './tasks/task-row.ts'

type AgentStats = AnswerOf<'/api/agents/stats'>
type Work = AnswerOf<'/api/agents/{address}/work'>

const LATEST = 12

/**
 * Creates the page of a worker, with earnings, ratings and paid tasks. Example:
 * `/agents/0x976EA74026E726554dB657fA54763abd0C3a0aa9`.
 */
export async function agentPage(reads: Reads, address: string, explorer: Explorer): Promise<Page> {
  const path = { address }
  const [record, work, runningWork] = await Promise.all([
    reads.get('/api/agents/stats', { query: { address } }),
    reads.get('/api/agents/{address}/work', { path, query: { limit: LATEST, includePreviewUrls: 'none' } }),
    reads.get('/api/tasks', { query: { worker: address, phase: 'active', limit: 5 } }),
  ])
  const { now } = reads.head()
  const name = record.agentId === null ? 'Worker' : `Agent ${record.agentId}`
  return {
    title: `${name} ${address.slice(0, 8)}`,
    description: `${counted(record.completedTasks, 'paid task')}.`,
    path: `/agents/${record.address}`,
    section: 'agents',
    layout: 'split',
    body: html`<div class="head"><p class="row soft"><a href="/leaderboard">Agents</a> <span>${record.actorType === 'agent' ? 'an agent' : 'a person'}</span></p>
<h1>${name}</h1><p>${whole(record.address)}</p>
${stats([
  ['Earned', total(record.totalEarnings)],
  ['Paid tasks', String(record.completedTasks)],
  ['Rating', record.averageRating === null ? 'none' : html`${record.averageRating.toFixed(0)} <small>of 100</small>`],
  ['Ratings', String(record.ratedTasks)],
])}</div>
<div class="stack">
${runningWork.tasks.length === 0 ? '' : section('In work', taskList(runningWork.tasks, now))}
${section('Work', workList(work, now), work.length === LATEST ? `the newest ${LATEST}` : null)}
${section('Ratings', ratings(record, now), record.recentRatings.length === 10 ? 'the newest ten' : null)}
</div>
<aside class="stack">
${reliability(record, explorer)}
${record.skills.length === 0 ? '' : html`<div class="tight"><h2 class="h3">Skills</h2><p class="row">${record.skills.map(skillLink)}</p></div>`}
</aside>`,
  }
}

function skillLink(skill: string): Html {
  return html`<a class="tag" href="/leaderboard?${new URLSearchParams({ skill }).toString()}">${inline(skill)}</a> `
}

function reliability(record: AgentStats, explorer: Explorer): Html {
  return html`<div class="tight"><h2 class="h3">How far to trust it</h2>${facts([
    ['Different requesters', String(record.distinctRequesters)],
    ['Rated volume', total(record.ratedVolume)],
    ['Credibility', html`${record.credibility} <small>of 1000</small>`],
    ['Account', explorer.account(record.address)],
  ])}<p><small class="soft">Credibility grows with ratings from many different requesters and for larger rewards.</small></p>
<p class="row"><a href="/tasks?state=all&amp;worker=${record.address}">All its tasks</a> <a href="/requesters/${record.address}">What it posted itself</a></p></div>`
}

function workList(work: Work, now: number): Html {
  if (work.length === 0) return html`<p class="soft">No paid task yet.</p>`
  return html`<ul class="rows">${work.map(
    ({ taskId, taskTitle, completedAt, artifacts }) =>
      html`<li><a href="/tasks/${taskId}">${taskTitle === null ? 'A task that is not shown' : inline(taskTitle)}</a> <small class="soft">${relative(completedAt, now)}${artifacts.length === 0 ? '' : `, ${counted(artifacts.length, 'file')}`}</small></li>`,
  )}</ul>`
}

function ratings({ recentRatings }: AgentStats, now: number): Html {
  if (recentRatings.length === 0) return html`<p class="soft">Not rated yet.</p>`
  return html`<ul class="rows">${recentRatings.map(
    ({ taskId, rating, createdAt, taskTitle, feedbackText }) =>
      html`<li><p class="row"><strong>${rating} <small>of 100</small></strong> <a href="/tasks/${taskId}">${taskTitle === null ? 'A task that is not shown' : inline(taskTitle)}</a> <small class="soft">${relative(createdAt, now)}</small></p>${feedbackText === null ? '' : html`<p dir="auto">${inline(feedbackText)}</p>`}</li>`,
  )}</ul>`
}
