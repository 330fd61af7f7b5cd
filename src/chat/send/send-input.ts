import { uses, type Catalogue, type CatalogueModel } from '../../catalogue/index.ts';
import type { KeyBudgets, Limits } from '../../ledger/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { refusalOf, untakenParts } from '../../providers/index.ts';
import type { KeptRequest } from '../commit/commands.ts';
import { completionKind, type CompletionSend } from './kinds/completion.ts';
import { conversationKind, type ConversationSend } from './kinds/conversation.ts';
import { editKind, type EditSend } from './kinds/edit.ts';
import { embeddingKind, type EmbeddingSend } from './kinds/embedding.ts';
import { imageKind, imageOfRoom, type ImageSend } from './kinds/image.ts';
import type { SendKind } from './kinds/kind.ts';
import { speechKind, type SpeechSend } from './kinds/speech.ts';
import { messageOf, roomKind, type RoomSend } from './kinds/room.ts';
import { transcriptionKind, type TranscriptionSend } from './kinds/transcription.ts';

/** The input of a caller. Its shape has been checked, its values have not. */
export type SendInput =
  | RoomSend
  | ConversationSend
  | CompletionSend
  | ImageSend
  | EditSend
  | EmbeddingSend
  | SpeechSend
  | TranscriptionSend;

/** The same, without the room that records it. */
export type SendRequest<Input extends SendInput = SendInput> = Omit<Input, 'roomId' | 'trace'>;

const kinds: { [Name in SendInput['kind']]: SendKind<Extract<SendInput, { kind: Name }>> } = {
  room: roomKind,
  conversation: conversationKind,
  completion: completionKind,
  image: imageKind,
  edit: editKind,
  embedding: embeddingKind,
  speech: speechKind,
  transcription: transcriptionKind,
};

/** The rules for this kind of send. They accept only inputs of the same kind. */
export function kindOf({ kind }: SendInput): SendKind<SendInput> {
  return kinds[kind];
}

type TextSend = RoomSend | ConversationSend | CompletionSend;

/** Whether a model is to write a text. */
export function isTextSend<Input extends Pick<SendInput, 'kind'>>(
  input: Input,
): input is Extract<Input, Pick<TextSend, 'kind'>> {
  const { kind } = input;
  return kind === 'room' || kind === 'conversation' || kind === 'completion';
}

/** The send as its model takes it: an image model takes a message in a room as a prompt. */
export function inputFor(model: CatalogueModel, input: SendInput): SendInput {
  return input.kind === 'room' && model.type === 'IMAGE' ? imageOfRoom(input) : input;
}

/**
 * Checks a request against the model that it names. Nothing is clamped or dropped: a value out of range is refused by
 * name, and a field that has no meaning for the model is named in the returned warnings.
 * @throws `invalid_request`, `chat_mode_not_allowed`
 */
export function checkAgainstModel(
  model: CatalogueModel,
  input: SendRequest<RoomSend> | SendRequest<ConversationSend> | SendInput,
): string[] {
  if (!isTextSend(input)) return [];
  if (input.kind === 'room' && input.message === '') {
    throw invalidField('message', 'must not be empty');
  }
  if (input.kind === 'room' && input.images?.length && model.type === 'IMAGE') {
    throw invalidField('images', 'an image model takes none here: send them to /v1/images/edits');
  }
  if (input.kind === 'room' && model.modality !== 'text' && model.modality !== 'image') {
    throw invalidField('ai', uses[model.modality]);
  }
  const { maxOutputTokens, temperature } = input;
  if (
    maxOutputTokens !== undefined &&
    (maxOutputTokens < 1 || maxOutputTokens > model.maxOutputTokens)
  ) {
    throw invalidField(
      'max_output_tokens',
      `must be between 1 and ${model.maxOutputTokens}, the maximum of this model`,
    );
  }
  if (!takesTemperature(model, temperature)) {
    throw invalidField(
      'temperature',
      `must be between ${model.minTemperature} and ${model.maxTemperature} for this model`,
    );
  }
  if (input.kind !== 'room') return [];
  if (input.chatDepth > 0 && !model.chatAllowed) {
    throw new DomainError(
      'chat_mode_not_allowed',
      'this model takes no earlier messages: send chat_depth 0, or choose a model with is_chat_mode_allowed 1',
    );
  }
  return model.type === 'IMAGE' ? meaninglessForImages(input) : [];
}

/** Checks fields that only some providers support. A provider without keys is left to the call. */
export function checkOffers(catalogue: Catalogue, model: CatalogueModel, input: SendInput): void {
  refuseUntaken(catalogue, model, input);
  const needs = kindOf(input).needs?.(input);
  if (!needs?.length) return;
  const setup = catalogue.providerSetup(model.provider);
  for (const offer of needs) {
    const refusal = setup && refusalOf(setup, offer);
    if (refusal !== undefined) throw invalidField(offer, refusal);
  }
}

/** Refuses images and files that the model can't take. Its fallbacks may take others. */
function refuseUntaken(catalogue: Catalogue, model: CatalogueModel, input: SendInput): void {
  if (input.kind !== 'conversation' && input.kind !== 'room') return;
  const setup = catalogue.providerSetup(model.provider);
  const isRoom = input.kind === 'room';
  const messages = isRoom ? [messageOf(input)] : input.conversation.messages;
  const untaken = setup && untakenParts(setup, messages, model.imagesAllowed);
  if (untaken === undefined) return;
  const what = untaken === 'images' ? 'images' : 'files other than texts';
  throw invalidField(
    isRoom ? 'images' : 'messages',
    `this model takes no ${what}: leave them out, or choose another model`,
  );
}

/** True if no temperature is given. */
export function takesTemperature(
  { minTemperature, maxTemperature }: CatalogueModel,
  temperature: number | undefined,
): boolean {
  return (
    temperature === undefined || (temperature >= minTemperature && temperature <= maxTemperature)
  );
}

function meaninglessForImages(input: SendRequest<RoomSend>): string[] {
  const ignored: string[] = [];
  if (input.maxOutputTokens !== undefined) ignored.push('max_output_tokens');
  if (input.temperature !== undefined) ignored.push('temperature');
  if (input.systemPrompt !== '') ignored.push('system_prompt');
  if (input.chatDepth > 0) ignored.push('chat_depth');
  return ignored.map((field) => `${field} has no meaning for an image model and was not sent`);
}

export interface ModelAccess {
  catalogue: Catalogue;
  /** Asks the database each time; rights are never read from a token. */
  isAdmin: (userId: number) => Promise<boolean>;
}

/**
 * The model of that id, if this user may use it: some are for admins only.
 * @throws `model_not_found`
 */
export function modelForUser(
  access: ModelAccess,
  userId: number,
  id: number,
): CatalogueModel | Promise<CatalogueModel> {
  const model = access.catalogue.get(id);
  if (!model) throw noSuchModel(id);
  if (!model.adminsOnly) return model;
  return access.isAdmin(userId).then((isAdmin) => {
    if (isAdmin) return model;
    throw noSuchModel(id);
  });
}

/** The same error whether there is no such model or the caller may not use it. */
export function noSuchModel(id: number): DomainError {
  return new DomainError(
    'model_not_found',
    `there is no model ${id} that you may use: /ai/settings/ and /v1/models list them`,
  );
}

/**
 * The models that are open to this user, by id, without regard to a list of allowed ones.
 * @param isMeant selects models; the database is only asked if one of them is for admins only
 */
export function modelsForUser(
  access: ModelAccess,
  userId: number,
  isMeant: (model: CatalogueModel) => boolean = () => true,
): CatalogueModel[] | Promise<CatalogueModel[]> {
  const models = access.catalogue.list().filter(isMeant);
  if (models.every((model) => !model.adminsOnly)) return models;
  return access
    .isAdmin(userId)
    .then((isAdmin) => models.filter((model) => isAdmin || !model.adminsOnly));
}

/** The models that this caller may use, by id: the allowed ones among those that are open to the user. */
export async function modelsWithinLimits(
  access: ModelAccess & LimitReaders,
  userId: number,
  keyId: string | undefined,
): Promise<CatalogueModel[]> {
  const models = await modelsForUser(access, userId);
  const isAllowed = await allowedModels(access, userId, keyId);
  return models.filter(({ id }) => isAllowed(id));
}

export interface LimitReaders {
  limits: Limits;
  budgets: KeyBudgets;
}

/** @returns whether the limits of the user and of the API key allow a model */
export async function allowedModels(
  { limits, budgets }: LimitReaders,
  userId: number,
  keyId: string | undefined,
): Promise<(modelId: number) => boolean> {
  const { models: ofUser } = await limits.get(userId);
  const ofKey = keyId === undefined ? undefined : (await budgets.get(keyId))?.limits.models;
  return (id) => (ofUser?.includes(id) ?? true) && (ofKey?.includes(id) ?? true);
}

/** @throws `invalid_request` naming `models` when one of them is not in the catalogue */
export function checkModelIds(catalogue: Catalogue, ids: readonly number[]): void {
  const unknown = ids.filter((id) => !catalogue.get(id));
  if (unknown.length === 0) return;
  throw invalidField('models', `there is no model ${unknown.join(', ')} in the catalogue`);
}

/** Whether the caller gets the model's reasoning. */
export function showsReasoning(input: SendInput): boolean {
  return input.kind === 'conversation' && input.conversation.options.shownReasoning !== undefined;
}

/** What is stored of a request so that it can be continued. */
export function keptOf(input: SendInput): KeptRequest | undefined {
  return input.kind === 'conversation' ? input.kept : undefined;
}
