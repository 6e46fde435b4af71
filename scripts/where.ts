/**
 * `npm run where -- <question>`: says where something is in the code, with files and lines.
 *
 *   npm run where -- "POST /tasks/{taskId}/accept"    a route: endpoint, rule, contract, events, tables, errors, tests
 *   npm run where -- TaskCompleted                    an event of a contract
 *   npm run where -- task.status                      a column or table of the indexer, `service.intents` of the service
 *   npm run where -- accept                           an action, its rules, its writes
 *   npm run where -- receipts                         a background loop, by the label `loop` of its metrics
 *   npm run where -- RESEND_AFTER_MS                  a setting, a metric, an alert
 *   npm run where -- consent_required                 a detail or reason of an error, an error of a contract
 *   npm run where -- canViewTask                      any declared function, constant or type
 *   npm run where -- task.created                     a kind of the log of changes
 *   npm run where -- winner_only                      a value that requests and answers have
 *   npm run where -- which test proves X              titles of tests
 *   npm run where -- refund owed                      any words: the declarations and headings that have them
 */
import { readFileSync } from 'node:fs'
import { repositoryRoot } from '../ops/process/paths.ts'
import { findAnswers } from './where/find-answers.ts'
import { renderAnswers } from './where/render-answers.ts'
import { openSources } from './where/sources.ts'

const question = process.argv.slice(2).join(' ')
if (question === '' || question === '--help') {
  // The comment above is the help.
  const [, help = ''] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(import.meta.filename, 'utf8')) ?? []
  console.log(help.replace(/^ \* ?/gm, ''))
  process.exit(question === '' ? 1 : 0)
}
const results = findAnswers(openSources(repositoryRoot), question)
console.log(renderAnswers(results, question))
if (results.answers.length + results.matches.length + results.nearest.length === 0) process.exitCode = 1
