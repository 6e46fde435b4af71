import { escapeHidden } from '../text/escape-hidden.ts'
import { type Column, columnTypeOf, type TextRow, toIsoTime } from './column-types.ts'

/** Returns the first line of a CSV answer: the names of the columns. */
export function csvHeader(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => textCell(name)).join(',')}\r\n`
}

/**
 * Returns the function that writes a row as a line of CSV (RFC 4180). NULL becomes an empty cell, and an empty text
 * becomes `""`.
 */
export function csvRowWriter(columns: readonly Column[]): (row: TextRow) => string {
  const cells = columns.map(({ typeId }) => {
    const { kind, isArray } = columnTypeOf(typeId)
    if (isArray || kind === 'text' || kind === 'json') return textCell
    return kind === 'time' ? toIsoTime : (text: string) => text
  })
  return (row) => {
    const line = cells.map((cell, index) => {
      const text = row[index] ?? null
      return text === null ? '' : cell(text)
    })
    return `${line.join(',')}\r\n`
  }
}

/** Returns an untrusted text as a CSV cell that a spreadsheet does not execute. */
function textCell(text: string): string {
  const safeText = guardOf(text) + escapeHiddenInCell(text)
  return safeText === '' || /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

/** Returns a prefix that stops a spreadsheet from executing a text as a formula. Empty if the text is not a formula. */
function guardOf(text: string): string {
  // A spreadsheet may skip invisible characters before a formula.
  const isFormula = /^[\s\p{Cc}\p{Cf}\p{DI}]*[=+@\-＝＋－＠]|^[\t\r]/u.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  return isFormula ? "'" : ''
}

/**
 * Escapes hidden characters in the same way as `escapeHidden`, but keeps each CR LF, because a CR LF is a line break
 * inside a quoted cell.
 */
function escapeHiddenInCell(text: string): string {
  return text.includes('\r\n') ? text.split('\r\n').map(escapeHidden).join('\r\n') : escapeHidden(text)
}
