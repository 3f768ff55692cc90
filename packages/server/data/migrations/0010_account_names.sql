CREATE TABLE "account_name_addresses" (
	"name" text NOT NULL,
	"coin_type" bigint NOT NULL,
	"address" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "account_name_addresses_name_coin_type_pk" PRIMARY KEY("name","coin_type")
);
--> statement-breakpoint
CREATE TABLE "account_name_owners" (
	"address" text PRIMARY KEY NOT NULL,
	"last_signed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_names" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"owner_chain" text NOT NULL,
	"attributes" jsonb NOT NULL,
	"registered_at" bigint NOT NULL,
	"updated_at" bigint
);
--> statement-breakpoint
ALTER TABLE "account_name_addresses" ADD CONSTRAINT "account_name_addresses_name_account_names_name_fk" FOREIGN KEY ("name") REFERENCES "public"."account_names"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_names" ADD CONSTRAINT "account_names_owner_account_name_owners_address_fk" FOREIGN KEY ("owner") REFERENCES "public"."account_name_owners"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_names_owner" ON "account_names" USING btree ("owner");