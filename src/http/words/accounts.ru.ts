import type { Sentences } from '../../lib/sentences.ts';

/** Problems with users, passwords, API keys, codes and amounts, in Russian. */
export const ofAccounts: Sentences = {
  'must be 1 to {max} letters (of any script), digits, ".", "_", "-" or "@"':
    'нужно от 1 до {max} букв (любых), цифр и знаков . _ - @',
  'must have at least one letter, digit or sign besides combining marks':
    'нужна хотя бы одна буква, цифра или знак',
  '"erased-" with a number is reserved for erased users; choose another':
    '«erased-» с числом — для стёртых пользователей; выберите другой',
  '"{login}" is taken: choose another': 'логин «{login}» занят: выберите другой',
  'is one of the most common passwords: choose another':
    'это один из самых частых паролей: придумайте другой',
  'must differ from the initial password': 'должен отличаться от временного',
  'the login or the password is wrong': 'неверный логин или пароль',
  'this user does not exist': 'такого пользователя нет',
  'this account does not exist': 'такого пользователя нет',
  'this user is blocked; ask the administrator':
    'пользователь заблокирован; обратитесь к администратору',
  'this is the last admin: add or unblock another admin first':
    'это последний администратор: сначала добавьте или разблокируйте другого',
  'an operator can neither change nor export an admin, nor give the rights of one: ask an admin':
    'оператор не может ни изменять, ни выгружать администраторов, ни давать их права: попросите администратора',
  'this is your own login: ask another admin to do that':
    'это ваш собственный логин: попросите другого администратора',
  'this is your own login: ask an admin to do that':
    'это ваш собственный логин: попросите администратора',
  'this operation is for admins only': 'это только для администраторов',
  'this operation is for operators and admins only': 'это только для операторов и администраторов',
  'admin operations are not open to your address (ZASTAVA_ADMIN_NETWORKS)':
    'администрирование закрыто для вашего адреса (ZASTAVA_ADMIN_NETWORKS)',
  'your password is an initial one: change it with /account/password/, then log in again':
    'у вас временный пароль: смените его и войдите снова',
  'your role needs a second factor: set it up on the web page, or with /account/second-factor/begin/':
    'для вашей роли нужен второй фактор: настройте его в разделе «Аккаунт»',
  'the code is wrong, too old or was used before: wait for the next one of the app, or send a recovery code that was not used':
    'код неверный, устарел или уже использован: дождитесь следующего или введите неиспользованный резервный',
  'you have a second factor already: end it with /account/second-factor/end/ first':
    'второй фактор уже включён: сначала отключите его',
  'there is no second factor': 'второго фактора нет',
  'you have no open session of this id': 'этот сеанс уже завершён',
  'too many attempts {what}; try again in {seconds} s':
    'слишком много попыток; повторите через {seconds} с',
  'too many logins at once; try again in {seconds} s':
    'слишком много входов сразу; повторите через {seconds} с',
  '{operation} takes {calls} calls a minute; try again in {seconds} s':
    'слишком часто; повторите через {seconds} с',

  'the user has {max} keys already; revoke one first':
    'у пользователя уже {max} ключей; сначала отзовите один',
  'this API key does not exist': 'такого ключа нет',
  'must be 1 to {max} characters without control characters':
    'нужно от 1 до {max} символов без управляющих',
  'must have a visible character': 'нужен хотя бы один видимый символ',
  'must be in the future': 'должно быть в будущем',
  'must be at most {max} words of 1 to 32 letters, digits, ".", "_", ":", "/" or "-"':
    'меток не больше {max}, каждая — от 1 до 32 латинских букв, цифр и знаков . _ : / -',
  '{max} keys of the user have limits already, some of them revoked within the last hour: wait':
    'лимиты есть уже у {max} ключей пользователя, некоторые отозваны за последний час: подождите',

  'there is no voucher with this code': 'ваучера с таким кодом нет',
  'somebody else has redeemed this voucher': 'этот ваучер уже кто-то использовал',
  'this voucher was revoked: ask whoever gave it to you for another':
    'этот ваучер отозван: попросите другой',
  'this voucher has expired: ask whoever gave it to you for another':
    'этот ваучер истёк: попросите другой',
  'there is no batch of vouchers with this id': 'такой партии ваучеров нет',
  'the batch has {count} vouchers': 'в партии ваучеров: {count}',
  'there is no invitation with this id': 'такого приглашения нет',
  'there is no invitation with this code': 'приглашения с таким кодом нет',
  'this invitation is used up, has expired or was revoked: ask whoever gave it to you for another':
    'приглашение использовано, истекло или отозвано: попросите другое',
  'registration is off: ask the operator for a login':
    'регистрация закрыта: попросите логин у оператора',
  'is required: registration is by invitation': 'нужен: регистрация по приглашениям',
  'must have {count} letters and digits; check that it is complete':
    'букв и цифр должно быть {count}; проверьте, весь ли он',
  'is mistyped; compare it with the printed one': 'в нём опечатка: сверьте с выданным',
  'is one of the vouchers, and does not count here': 'это код ваучера, здесь он не подходит',
  'is one of the invitations, and does not count here': 'это код приглашения, здесь он не подходит',
  'must be in the future, and before the year 275760': 'должно быть в будущем',
  'must have at most {max} characters, without control characters':
    'нужно не больше {max} символов без управляющих',
  'must be from 0 to {limit} ₽ for all uses together':
    'нужно от 0 до {limit} ₽ на все использования вместе',
  'all vouchers together would exceed {limit} ₽': 'все ваучеры вместе больше {limit} ₽',

  'a correction can take at most what is available; lower the amount, or raise the credit limit first':
    'исправлением можно снять не больше доступного; уменьшите сумму или сначала поднимите кредитный лимит',
  'must not be 0': 'не должно быть 0',
  'the balance would exceed {limit} ₽': 'баланс стал бы больше {limit} ₽',
  'must be between 0 and {limit} ₽': 'нужно от 0 до {limit} ₽',
  'must be above 0 and at most {limit} ₽': 'нужно больше 0 и не больше {limit} ₽',
  'must be above 0 and at most {left}, which is left of the charge of {total}':
    'нужно больше 0 и не больше {left}: столько осталось от списания {total}',
  'this message was charged nothing': 'за это сообщение ничего не списано',
  'the charge of {total} was given back already': 'списание {total} уже возвращено',
  'this user has no message {id}': 'у этого пользователя нет сообщения {id}',
  'must be 1 to {max} ids of models': 'нужно от 1 до {max} моделей',
  'must be between -{low} and {limit} rubles': 'нужно от -{low} до {limit} рублей',
  'must be rubles with at most six decimals, as a number or a decimal text':
    'нужны рубли, после запятой не больше шести знаков',

  '{left} of your {limit} trust checks a day are left: request no more, or wait until midnight {zone}':
    'из {limit} проверок траста в день осталось {left}: проверяйте не больше или подождите до 0:00 {zone}',
  'your {limit} trust checks a day are used up: wait until midnight {zone}':
    'все {limit} проверок траста на сегодня использованы: подождите до 0:00 {zone}',
};
