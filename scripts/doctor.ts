/**
 * `npm run doctor`: checks everything that the programs need on this machine, and says what is wrong and what to do
 * (docs/operate/doctor.md). It needs the same environment variables as the programs. A resource whose setting
 * is absent is not checked. If no setting is present, the stack that `npm start` runs in this clone is checked.
 *
 *   set -a && . ops/environment/api.env && npm run doctor
 *
 *   --json    the report as JSON: { "status": "ok" | "warning" | "wrong",
 *             "findings": [{ check, result, finding, fault, remedy }] }
 *
 * The exit code is 0 if nothing is wrong (warnings do not count), 1 if something is wrong, and 2 for a wrong option.
 */
import { runChecks } from '../ops/doctor/run-checks.ts'
import { toText } from '../ops/doctor/to-text.ts'
import { readOptions } from '../ops/process/read-options.ts'
import { type Setting, table } from '../settings/table.ts'
import { findStack } from './stack/stack-file.ts'

const { values } = readOptions({ options: { json: { type: 'boolean', default: false } } })
const settings: [string, Setting][] = Object.entries(table)
const isAnySet = settings.some(([name, { neededBy }]) => neededBy && (process.env[name] || process.env[`${name}_FILE`]))
const stack = isAnySet ? null : findStack()
if (stack !== null && !values.json) console.log(`The stack of this clone, ${stack.urls.api}:\n`)

const findings = await runChecks((program) => (stack === null ? process.env : (stack.settings[program] ?? {})))
const has = (result: string) => findings.some((finding) => finding.result === result)
const status = has('wrong') ? 'wrong' : has('warning') ? 'warning' : 'ok'
console.log(values.json ? JSON.stringify({ status, findings }, null, 2) : toText(findings))
process.exit(status === 'wrong' ? 1 : 0)
