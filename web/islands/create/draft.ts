const NAME = 'task-market:draft'
/** Name of the form's field with the password of a private task. The password is never stored. */
const omittedName = 'accessPassword'

/**
 * Stores the values of the form's fields in this tab, for the case that the page is loaded again. A null argument
 * deletes the stored values.
 */
export function keepDraft(form: HTMLFormElement | null): void {
  if (form === null) {
    sessionStorage.removeItem(NAME)
    return
  }
  const fields = [...new FormData(form)].filter(([name, value]) => name !== omittedName && typeof value === 'string')
  sessionStorage.setItem(NAME, JSON.stringify(fields))
}

/** Fills the form with the values that `keepDraft` stored. */
export function restoreDraft(form: HTMLFormElement): void {
  const fields = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, string][]
  for (const [name, value] of fields) {
    const element = form.elements.namedItem(name)
    if (element instanceof RadioNodeList) element.value = value
    else if (element !== null && 'value' in element) element.value = value
  }
}
