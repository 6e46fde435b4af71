const NAME = 'task-market:draft'
/** Name of the field with the password, which is never stored. */
const omittedName = 'accessPassword'

/** Stores the typed fields of the form in this tab for a reload. A null argument deletes the stored fields. */
export function keepDraft(form: HTMLFormElement | null): void {
  if (form === null) {
    sessionStorage.removeItem(NAME)
    return
  }
  const fields = [...new FormData(form)].filter(([name, value]) => name !== omittedName && typeof value === 'string')
  sessionStorage.setItem(NAME, JSON.stringify(fields))
}

/** Writes the stored fields into the form. */
export function restoreDraft(form: HTMLFormElement): void {
  const fields = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, string][]
  for (const [name, value] of fields) {
    const element = form.elements.namedItem(name)
    if (element instanceof RadioNodeList) element.value = value
    else if (element !== null && 'value' in element) element.value = value
  }
}
