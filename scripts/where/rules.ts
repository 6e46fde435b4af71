import { commentAbove } from './comments.ts'
import type { Declaration } from './declarations.ts'
import type { Row, Sources } from './sources.ts'

const table = 'api/domain/actions/action-rules.ts'

/** Lists the rules that the rule table has for an action. */
export function rulesOf({ code, declarations }: Sources, action: string): Declaration[] {
  const row = new RegExp(`^ {2}${action}: \\[([^\\]]*)\\]`, 'm').exec(code.textOf(table))?.[1] ?? ''
  return row.split(',').flatMap((name) => declarations.resolve(table, name.trim()) ?? [])
}

/**
 * Returns the rows of an answer about rules. The fields that decide who may act, and when, are shown in the words of
 * the code.
 */
export function ruleRows(sources: Sources, rules: readonly Declaration[]): Row[] {
  return rules.flatMap((rule) => {
    const facts = ['modes', 'statuses', 'eligible', 'fee', 'window'].flatMap((field) => {
      const value = writtenAs(sources, rule, field)
      return value === undefined ? [] : [`${field} ${value}`]
    })
    const text = [rule.name, ...facts].join('; ')
    return [
      { label: 'rule', place: rule, text },
      { label: 'rule', text: commentAbove(sources.code, rule).notice },
    ].filter((row) => row.text !== '')
  })
}

/**
 * Returns the text of a rule's field. If the rule does not have the field, returns the field of a rule that it includes
 * by `...`.
 */
function writtenAs(sources: Sources, { path, text }: Declaration, field: string): string | undefined {
  const { declarations } = sources
  const fieldText = new RegExp(`^ {2}${field}(?:: |(?=\\())([\\s\\S]*?),\\n(?= {2}\\S|\\})`, 'm').exec(text)?.[1]
  if (fieldText === undefined) {
    const spread = [...text.matchAll(/^ {2}[.]{3}(\w+)/gm)].flatMap(
      ([, name = '']) => declarations.resolve(path, name) ?? [],
    )
    return spread.map((rule) => writtenAs(sources, rule, field)).findLast((value) => value !== undefined)
  }
  const list = /^\w+$/.test(fieldText)
    ? / = \[([^\]]*)\]/.exec(declarations.resolve(path, fieldText)?.text ?? '')?.[1]
    : undefined
  const shown = list === undefined ? fieldText : `${fieldText} = ${list}`
  return (/=>|\{/.test(shown) ? shown : shown.replace(/[[\]']/g, '')).replace(/\s+/g, ' ')
}

/** Returns the declarations of the code that checks an action against its rules. */
export function admission({ declarations }: Sources): Declaration[] {
  return [...declarations.in('api/domain/actions/admit.ts')]
}
