import * as v from 'valibot'

/** A documented environment variable. */
export interface Variable {
  /** The name of the environment variable, such as `PORT`. */
  name: string
  /** The text that is used if the variable is not set. Empty if it has no default. */
  fallback: string
  /** What it configures, without a full stop. */
  meaning: string
}

/** Environment variables by name, with the text that is parsed if one is not set, and its parser. */
export type VariableTable = Readonly<
  Record<string, { readonly fallback: string; readonly schema: v.GenericSchema; readonly meaning: string }>
>

/** The environment that a configuration is read from. */
export interface Environment {
  readonly values: Readonly<Record<string, string | undefined>>
  /** Reports a missing or invalid variable in one sentence. The configuration then contains placeholders and must be discarded. */
  reject(sentence: string): void
}

type Value<Table extends VariableTable, Name extends keyof Table> = v.InferOutput<Table[Name]['schema']>

/** Reads the variables of a table. Invalid values are reported to the environment. */
export interface VariableReader<Table extends VariableTable> {
  /** The parsed value, or the parsed fallback if the variable is not set. */
  read<Name extends keyof Table & string>(name: Name): Value<Table, Name>
  /** The parsed value, or `undefined` if the variable is not set. */
  readIfSet<Name extends keyof Table & string>(name: Name): Value<Table, Name> | undefined
  /** The parsed value. Reports that the variable must be set under this condition, if it is not. */
  readRequired<Name extends keyof Table & string>(name: Name, condition: string): Value<Table, Name>
}

/** Returns whether a variable is set. An empty value counts as not set. */
export function isSet({ values }: Environment, name: string): boolean {
  return Boolean(values[name]?.trim())
}

/** Creates a reader of these variables. */
export function variableReader<Table extends VariableTable>(table: Table, env: Environment): VariableReader<Table> {
  function read<Name extends keyof Table & string>(name: Name): Value<Table, Name> {
    const { schema, fallback } = table[name] as Table[Name]
    const parsed = v.safeParse(schema, env.values[name]?.trim() || fallback)
    if (parsed.success) return parsed.output as Value<Table, Name>
    env.reject(`${name} must be ${parsed.issues[0].message}.`)
    const placeholder = v.safeParse(schema, fallback)
    return (placeholder.success ? placeholder.output : undefined) as Value<Table, Name>
  }
  return {
    read,
    readIfSet: (name) => (isSet(env, name) ? read(name) : undefined),
    readRequired(name, condition) {
      if (isSet(env, name)) return read(name)
      env.reject(`${name} must be set if ${condition}.`)
      return '' as Value<Table, typeof name>
    },
  }
}

/** Returns the documentation of a table's variables, in order. */
export function documented(table: VariableTable): readonly Variable[] {
  return Object.entries(table).map(([name, { fallback, meaning }]) => ({ name, fallback, meaning }))
}
